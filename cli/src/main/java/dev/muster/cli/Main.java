// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Pause;
import dev.muster.core.foreign.CompiledCalls;
import dev.muster.detect.Detector;
import dev.muster.detect.host.Host;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Starts the program: the only place that touches the process itself.
public final class Main {
    private Main() {}

    /// Runs the program with the given arguments.
    public static void main(String[] arguments) {
        int code = run(arguments);
        if (LeftThreads.any()) {
            LeftThreads.leave(code);
        }
        // System.exit loads logging, which takes 7 ms or more: it is left to commands that have shutdown hooks.
        if (code != ExitCode.OK) {
            if (arguments.length > 0 && Commands.isShort(arguments[0])) {
                System.err.flush();
                Runtime.getRuntime().halt(code);
            }
            System.exit(code);
        }
    }

    /// Runs the program and says how the process should end.
    static int run(String[] arguments) {
        try {
            findCalls();
            Host host = withHome(Detector.thisHost(), System.getProperty("user.home", ""));
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

    /// Names the library of native calls that the launcher found beside the jars.
    static void findCalls() {
        String library = System.getProperty("muster.calls");
        if (library != null) {
            CompiledCalls.use(Path.of(library));
        }
    }

    /// Returns the host with HOME in its variables: where it is not set, as on Windows, what Java takes for the
    /// user's folder stands there, so that nothing else has to know of two ways. Java says `?` where it knows none.
    static Host withHome(Host host, String folder) {
        boolean isSet = !host.variables().getOrDefault("HOME", "").isBlank();
        if (isSet || folder.isBlank() || folder.equals("?")) {
            return host;
        }
        Map<String, String> variables = new HashMap<>(host.variables());
        variables.put("HOME", folder);
        return new Host(
                host.system(),
                host.architecture(),
                host.files(),
                host.commands(),
                host.libraries(),
                Map.copyOf(variables),
                host.clock());
    }
}
