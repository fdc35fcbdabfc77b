// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.Optional;
import java.util.OptionalInt;

/// What `stty` says of a terminal, and keys as they are pressed. Where there is no terminal, no width is known and no
/// key is ever pressed. Confined to one thread.
public record LiveTerminal(InputStream stdin, boolean keys) {
    private static final String QUIT_KEYS = "qQ";

    /// Gets keys without a line end and without an echo, until the program ends in whatever way. Ctrl-C stays what it
    /// is.
    public static LiveTerminal open(InputStream stdin) {
        Optional<String> before = Stty.run("-g");
        boolean keys = before.isPresent() && Stty.run("-icanon", "-echo").isPresent();
        if (keys) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> Stty.run(before.get()), "restore-terminal"));
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
        return Stty.run(Redirect.from(new File("/dev/tty")), "size")
                .flatMap(Stty::size)
                .map(size -> OptionalInt.of(size.columns()))
                .orElse(OptionalInt.empty());
    }
}
