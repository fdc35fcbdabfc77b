// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.rehearse;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.rehearse.Rehearsal;
import dev.muster.mesh.rehearse.Rehearser;
import dev.muster.mesh.session.MeshSession;
import java.time.Duration;
import java.util.List;

/// A process of `muster mesh rehearse`: joins the mesh that its variables name and rehearses what its
/// arguments hold. The first rank writes a line of figures.
public final class RehearsalRank {
    private RehearsalRank() {}

    /// Rehearses what the arguments hold.
    public static void main(String[] arguments) {
        LaunchContext context = LaunchContext.from(System.getenv());
        List<String> words = List.of(arguments);
        Rehearsal rehearsal = RehearsalWords.parse(words.subList(1, words.size()));
        try (MeshSession session = MeshSession.join(context);
                Rehearser rehearser =
                        Rehearser.open(session, context.findBackend().orElse(""), rehearsal)) {
            String line = RehearsalWords.line(rehearser.run(Duration.parse(words.getFirst())));
            if (context.rank() == 0) {
                System.out.println(line);
            }
        } catch (GroupException e) {
            // One sentence, which the command shows: an engine that is not available is not a defect.
            System.err.println(e.getMessage());
            System.exit(1);
        } catch (OutOfMemoryError e) {
            System.err.println("buffers of the plan's calls do not fit into memory (" + e.getMessage()
                    + "); rehearse it on a larger machine, or give ranks more with"
                    + " JAVA_TOOL_OPTIONS=-XX:MaxDirectMemorySize=16g");
            System.exit(1);
        }
    }
}
