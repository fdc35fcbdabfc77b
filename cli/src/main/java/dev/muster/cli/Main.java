// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Pause;
import dev.muster.core.foreign.CompiledCalls;
import dev.muster.detect.Detector;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostFiles;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Starts the program: the only place that touches the process itself.
public final class Main {
    private static final String LIMITS = "/proc/self/limits";
    private static final int MOST_BYTES = 16 << 10;
    private static final Pattern OPEN_FILES = Pattern.compile("(?m)^Max open files +([0-9]{1,9}) ");
    private static final int FEWEST_FILES = 64;

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
            if (lacksFiles()) {
                System.err.println("muster: this process may not open enough files (" + e
                        + "); raise the limit, for example with 'ulimit -n 1024'");
                System.exit(ExitCode.NO); // to go back to the caller would take classes, and these files
                return ExitCode.NO;
            }
            System.err.println("muster: this is a defect of Muster (" + e
                    + "); please report it with the command line and the output of 'muster version'");
            return ExitCode.DEFECT;
        }
    }

    /// Reports whether the limit of open files explains a failure: so low that a JVM with its libraries reaches it. If
    /// the limit itself cannot be read, or no class be loaded, it is reached.
    private static boolean lacksFiles() {
        try {
            HostFiles files = Detector.thisHost().files();
            return files.exists(LIMITS)
                    && files.findText(LIMITS, MOST_BYTES)
                            .map(text -> OPEN_FILES
                                    .matcher(text)
                                    .results()
                                    .anyMatch(limit -> Integer.parseInt(limit.group(1)) < FEWEST_FILES))
                            .orElse(true);
        } catch (LinkageError e) {
            return true;
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
