// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.tcp;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.collective.EngineProvider.EngineContext;
import dev.muster.mesh.collective.GroupIdentity;

/// The backend `tcp`: sockets.
public final class TcpProvider implements EngineProvider {
    /// Its name.
    public static final String NAME = "tcp";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Engine open(GroupIdentity group, EngineContext context) {
        PeerConnections connections = PeerConnections.open(group, context);
        return new TcpEngine(
                group, new SocketTransport(group, connections, context.processors()), context.inRankOrder());
    }
}
