// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.cli.terminal.Console;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// Draws screens on a terminal: only the lines that changed are written. Confined to one thread.
final class Painter {
    /// A window of another size is noticed within this time.
    static final Duration SIZE_CHECK = Duration.ofMillis(500);
    /// The cursor is sent beyond every screen; the terminal tells where it went, which is its last line and column.
    private static final String ASK_SIZE = "\u001b7\u001b[9999;9999H\u001b[6n\u001b8";

    private static final String CLEAR = "\u001b[0m\u001b[2J";
    private static final String CLEAR_LINE = "\u001b[K";

    private final Console console;
    private Console.Size size;
    private List<String> drawn = List.of();
    private long asked = System.nanoTime();

    Painter(Console console) {
        this.console = console;
        this.size = console.size();
    }

    Console.Size size() {
        return size;
    }

    /// Has the next screen drawn as a whole.
    void forget() {
        drawn = List.of();
    }

    void resize(Key.Size told) {
        Console.Size now = new Console.Size(told.lines(), told.columns());
        if (!now.equals(size)) {
            size = now;
            forget();
        }
    }

    void askSize() throws IOException {
        long now = System.nanoTime();
        if (now - asked >= SIZE_CHECK.toNanos()) {
            asked = now;
            console.write(ASK_SIZE);
        }
    }

    void paint(List<String> lines) throws IOException {
        StringBuilder out = new StringBuilder();
        boolean all = drawn.size() != lines.size();
        out.append(all ? CLEAR : "");
        for (int y = 0; y < lines.size(); y++) {
            if (all || !lines.get(y).equals(drawn.get(y))) {
                out.append("\u001b[")
                        .append(y + 1)
                        .append(";1H")
                        .append(lines.get(y))
                        .append(CLEAR_LINE);
            }
        }
        drawn = lines;
        if (!out.isEmpty()) {
            console.write(out.toString());
        }
    }
}
