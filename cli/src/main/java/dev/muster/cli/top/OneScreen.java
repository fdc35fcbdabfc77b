// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.report.terminal.Terminal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// `muster top --once`: all that is known, as high as it has to be.
public final class OneScreen {
    private static final int USUAL_WIDTH = 120;
    private static final int MOST_WIDTH = 1_000;
    private static final int MOST_HEIGHT = 20_000;
    private static final int HISTORY = 9;
    private static final int HEADS = 2;
    private static final int LEAST_TABLE = 5;

    private OneScreen() {}

    /// Returns the text, a line each.
    public static String of(TopData data, String pace, Terminal terminal) {
        int width = terminal.width() > MOST_WIDTH ? USUAL_WIDTH : terminal.width();
        boolean over = data.history().samples() > 1;
        Set<Pane> hidden = EnumSet.noneOf(Pane.class);
        if (!over) {
            hidden.add(Pane.HISTORY);
        }
        if (data.topology().isEmpty()) {
            hidden.add(Pane.TOPOLOGY);
        }
        int alerts = data.alerts().size() + data.gaps().size();
        int height = HEADS
                + HEADS
                + DeviceRow.shown(data.registry()).size()
                + (over ? HISTORY : 0)
                + Math.max(LEAST_TABLE, HEADS + data.processes().size())
                + (data.topology().isEmpty()
                        ? 0
                        : HEADS + data.topology().names().size())
                + (alerts == 0 ? 0 : 1 + alerts)
                + 1;
        TopState state = TopState.initial(false).withHidden(hidden).withFocus(Pane.DEVICES);
        TopScreen.Status status = new TopScreen.Status(TopLoop.time(data.registry()), pace, " ", false, false);
        TopScreen screen =
                new TopScreen(data, state, status, width, Math.min(height, MOST_HEIGHT), new Glyphs(terminal.ascii()));
        List<String> lines = new ArrayList<>(screen.draw().lines(terminal.color()));
        while (!lines.isEmpty() && lines.getLast().isBlank()) {
            lines.removeLast();
        }
        return String.join("\n", lines) + "\n";
    }
}
