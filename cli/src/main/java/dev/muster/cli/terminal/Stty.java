// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.terminal;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The program `stty`, which reads and changes the settings of a terminal.
final class Stty {
    private static final int MAX_OUTPUT = 1 << 10;
    private static final int DEADLINE_MILLIS = 500;
    private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,3}) ([1-9][0-9]{0,3})");

    private Stty() {}

    /// Asks about standard input, or changes it.
    static Optional<String> run(String... arguments) {
        return run(Redirect.INHERIT, arguments);
    }

    static Optional<String> run(Redirect input, String... arguments) {
        List<String> line = new ArrayList<>(List.of("stty"));
        line.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(line)
                    .redirectInput(input)
                    .redirectError(Redirect.DISCARD)
                    .start();
            byte[] output = process.getInputStream().readNBytes(MAX_OUTPUT);
            boolean ended = process.waitFor(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
            if (!ended) {
                process.destroyForcibly();
            }
            return ended && process.exitValue() == 0
                    ? Optional.of(new String(output, StandardCharsets.US_ASCII).strip())
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /// Returns the output of `stty size`; empty if the terminal does not know.
    static Optional<Console.Size> size(String text) {
        Matcher size = SIZE.matcher(text);
        return size.matches()
                ? Optional.of(new Console.Size(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2))))
                : Optional.empty();
    }
}
