// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.detect.Detector;
import dev.muster.detect.host.Host;
import dev.muster.detect.nvidia.NvmlRehearsal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.List;

/// Starts the program: the only place that touches the process itself.
public final class Main {
    private Main() {}

    /// Runs the program with the given arguments.
    public static void main(String[] arguments) {
        int code = run(arguments);
        if (LeftThreads.any()) {
            LeftThreads.leave(code);
        }
        // Leaving main is 7 ms cheaper than System.exit: it loads no logging.
        if (code != ExitCode.OK) {
            System.exit(code);
        }
    }

    /// Runs the program and says how the process should end.
    static int run(String[] arguments) {
        try {
            Host host = Detector.thisHost();
            NvmlRehearsal.prepare(host.files());
            Muster muster = new Muster(
                    host,
                    Boolean.getBoolean("muster.tty"),
                    Boolean.getBoolean("muster.tty.stderr"),
                    System.getProperty("java.version", "unknown"),
                    System.in,
                    new FileOutputStream(FileDescriptor.out),
                    System.err,
                    new Pause.OfThread());
            return muster.run(List.of(arguments));
        } catch (RuntimeException | Error e) {
            System.err.println("muster: this is a defect of Muster (" + e
                    + "); please report it with the command line and the output of 'muster version'");
            return ExitCode.DEFECT;
        }
    }
}
