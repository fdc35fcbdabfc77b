// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.terminal;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/// The shell's job that this process belongs to.
final class StoppedJob {
    private StoppedJob() {}

    /// Stops all processes of the job, as the terminal does on Ctrl-Z, and returns when the shell lets it go on. The
    /// signal comes from a child, which stops with the others. The kernel ignores it if no shell could resume the
    /// job.
    static void stop() {
        try {
            new ProcessBuilder("sh", "-c", "kill -TSTP 0")
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException _) {
            // Without a shell there is none to stop for either.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
