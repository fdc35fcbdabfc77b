// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.session.MeshSession;
import java.io.IOException;

/// A rank that stops itself if it is not the first, which then waits for it in vain.
final class StoppedMember {
    private StoppedMember() {}

    /// Joins, and stops or waits.
    public static void main(String[] arguments) throws IOException, InterruptedException {
        MeshSession session = MeshSession.join(LaunchContext.from(System.getenv()));
        if (session.rank() > 0) {
            String self = Long.toString(ProcessHandle.current().pid());
            new ProcessBuilder("kill", "-STOP", self).start().waitFor();
        }
        try {
            session.world().barrier();
        } catch (GroupException e) {
            System.out.println("failed: " + e.getMessage());
            System.exit(3);
        }
    }
}
