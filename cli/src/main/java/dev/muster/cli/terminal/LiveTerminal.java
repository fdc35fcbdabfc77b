package dev.muster.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/// What `stty` says of a terminal, and keys as they are pressed. Where there is no terminal, no width is known and no
/// key is ever pressed. Confined to one thread.
public record LiveTerminal(InputStream stdin, boolean keys) {
    private static final String QUIT_KEYS = "qQ";
    private static final int MAX_OUTPUT = 1 << 10;
    private static final int DEADLINE_MILLIS = 500;
    private static final int MAX_COLUMNS = 10_000;

    /// Gets keys without a line end and without an echo, until the program ends in whatever way. Ctrl-C stays what it
    /// is.
    public static LiveTerminal open(InputStream stdin) {
        Optional<String> before = stty(Redirect.INHERIT, "-g");
        boolean keys =
                before.isPresent() && stty(Redirect.INHERIT, "-icanon", "-echo").isPresent();
        if (keys) {
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> stty(Redirect.INHERIT, before.get()), "restore-terminal"));
        }
        return new LiveTerminal(stdin, keys);
    }

    /// Whether somebody pressed a key that ends the program; asks without waiting.
    public boolean isQuit() {
        try {
            while (keys && stdin.available() > 0) {
                if (QUIT_KEYS.indexOf(stdin.read()) >= 0) {
                    return true;
                }
            }
            return false;
        } catch (IOException _) {
            return false;
        }
    }

    /// How wide the terminal is now.
    public OptionalInt columns() {
        String[] size =
                stty(Redirect.from(new File("/dev/tty")), "size").orElse("").split(" ", -1);
        boolean number =
                size.length == 2 && size[1].length() <= 5 && size[1].chars().allMatch(c -> c >= '0' && c <= '9');
        int columns = number && !size[1].isEmpty() ? Integer.parseInt(size[1]) : 0;
        return columns > 0 && columns <= MAX_COLUMNS ? OptionalInt.of(columns) : OptionalInt.empty();
    }

    private static Optional<String> stty(Redirect input, String... arguments) {
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
}
