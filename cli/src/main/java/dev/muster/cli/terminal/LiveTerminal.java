// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.Optional;
import java.util.OptionalInt;

/// A terminal by way of `stty`, with keys as they are pressed. Without a terminal, no width is known and no
/// key is ever pressed. Confined to one thread.
public record LiveTerminal(InputStream stdin, boolean keys) {
    private static final String QUIT_KEYS = "qQ";

    /// Gets keys without a line end and without an echo, until the program ends in any way. Ctrl-C stays what it
    /// is.
    public static LiveTerminal open(InputStream stdin) {
        Optional<String> before = Stty.run("-g");
        boolean keys = before.isPresent() && Stty.run("-icanon", "-echo").isPresent();
        if (keys) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> Stty.run(before.get()), "restore-terminal"));
        }
        return new LiveTerminal(stdin, keys);
    }

    /// Reports whether the user pressed a key that ends the program; asks without waiting.
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

    /// Returns the current width of the terminal.
    public OptionalInt columns() {
        return Stty.run(Redirect.from(new File("/dev/tty")), "size")
                .flatMap(Stty::size)
                .map(size -> OptionalInt.of(size.columns()))
                .orElse(OptionalInt.empty());
    }
}
