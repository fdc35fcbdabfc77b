// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.launch.LaunchContext;

/// Ranks of one host that take themselves for ranks of several.
public final class SimulatedHosts {
    private SimulatedHosts() {}

    /// Joins the mesh that this process was started for.
    ///
    /// @param hosts a letter for the host of each rank
    public static MeshSession join(LaunchContext context, String hosts) {
        LaunchedRank launched = new LaunchedRank(context);
        SessionConfig config = launched.config();
        String host = hosts.substring(context.rank(), context.rank() + 1);
        return MeshSession.join(launched.store(), context.rank(), context.worldSize(), config.withHost(host));
    }
}
