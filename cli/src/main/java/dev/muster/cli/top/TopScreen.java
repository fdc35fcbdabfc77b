// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.DeviceFact;
import dev.muster.core.text.FixedText;
import dev.muster.detect.activity.HostActivity.HostLoad;
import dev.muster.monitor.AlertRule;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.DisplayWidth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/// One screen: a pure function of what is known, what the user chose, and the size. Immutable.
///
/// @param data data of the screen
/// @param state the user's choices
/// @param status status of the program itself
/// @param width number of columns
/// @param height number of lines
/// @param glyphs with which characters to draw
public record TopScreen(TopData data, TopState state, Status status, int width, int height, Glyphs glyphs) {
    private static final int HEAD = 2;
    private static final int LEAST_WIDTH = 20;
    private static final int LEAST_HEIGHT = 6;
    /// The most important first: those that do not fit are left out.
    private static final List<String> KEYS = List.of(
            "q quit",
            "h help",
            "/ filter",
            "s sort",
            "t tree",
            "space pause",
            "1-5 panes",
            "tab next",
            "arrows scroll");
    private static final List<String> HELP = List.of(
            "q          quit",
            "h ?        this help; any key closes it",
            "1 to 5     go to a pane: devices, history, processes, topology, alerts",
            "x          hide the pane; its number shows it again",
            "tab        go to the next pane",
            "arrows     move in the pane; page up and down by a page, home and end to its ends",
            "s          sort: devices by index, load, memory, power, temperature;"
                    + " processes by memory, pid, user, device, command, time",
            "/          filter the devices or the processes; enter applies, escape clears",
            "t          show processes as a tree",
            "space p    pause the screen; sampling continues",
            ". n right  with --replay: next sample;  + -  faster, slower",
            "k          with --allow-signals: terminate the selected process (SIGTERM)");

    private static final int HELP_INDENT = 11;

    /// The status of the program itself.
    ///
    /// @param time time of the sample
    /// @param pace interval of samples, or position in a recording
    /// @param message something that happened; blank for nothing
    /// @param signals true if signals may be sent
    /// @param replay true if a recording is played
    public record Status(String time, String pace, String message, boolean signals, boolean replay) {}

    Canvas draw() {
        Canvas canvas = new Canvas(width, height);
        if (width < LEAST_WIDTH || height < LEAST_HEIGHT) {
            canvas.put(0, 0, width, "too small", Tone.PLAIN);
            return canvas;
        }
        head(canvas);
        totals(canvas);
        if (state.help()) {
            help(canvas);
        } else {
            areas().forEach((pane, area) -> draw(canvas, pane, area));
        }
        foot(canvas);
        return canvas;
    }

    /// Returns the facts for handling keys.
    TopState.Surroundings surroundings() {
        Area area = areas().getOrDefault(state.focus(), new Area(0, 0, 0, 0));
        int lines = switch (state.focus()) {
            case DEVICES -> devices().size();
            case PROCESSES -> processes().size();
            case TOPOLOGY -> data.topology().names().size();
            case ALERTS -> data.alerts().size() + data.gaps().size();
            case HISTORY -> 0;
        };
        int heads = state.focus() == Pane.ALERTS ? 1 : 2;
        return new TopState.Surroundings(
                lines, Math.max(1, area.height() - heads), marked(), status.signals(), status.replay());
    }

    private long marked() {
        List<ProcessRow> rows = processes();
        return state.focus() != Pane.PROCESSES || rows.isEmpty()
                ? 0
                : rows.get(Math.min(state.offset(Pane.PROCESSES), rows.size() - 1))
                        .pid();
    }

    private Map<Pane, Area> areas() {
        Layout.Wanted wanted = new Layout.Wanted(
                devices().size(),
                processes().size(),
                data.topology().isEmpty() ? 0 : data.topology().names().size(),
                data.alerts().size() + data.gaps().size());
        return Layout.of(state, wanted, new Area(0, HEAD, width, height - HEAD - 1));
    }

    private List<DeviceRow> devices() {
        return DeviceRow.arrange(data.registry(), state.deviceFilter(), state.deviceSort());
    }

    private List<ProcessRow> processes() {
        return ProcessRow.arrange(data.processes(), state.processFilter(), state.processSort(), state.tree());
    }

    private void head(Canvas canvas) {
        int at = canvas.put(0, 0, width, "muster top", Tone.TITLE);
        HostLoad host = data.host();
        String dot = " " + glyphs.dot() + " ";
        String right = "";
        if (host != null) {
            String name = host.name().isEmpty() ? "" : dot + host.name();
            at = canvas.put(at, 0, width, name, Tone.STRONG);
            double used = host.memory().toDouble() - host.available().toDouble();
            right = "load " + FixedText.of(host.oneMinute(), 1) + "  memory " + Figures.gib(used) + "/"
                    + Figures.gib(host.memory().toDouble()) + " GiB"
                    + (host.uptime().isZero() ? "" : "  up " + Figures.time(host.uptime()));
        }
        at = canvas.put(
                at, 0, width, (status.time().isEmpty() ? "" : dot + status.time()) + dot + status.pace(), Tone.PLAIN);
        if (state.paused()) {
            at = canvas.put(at, 0, width, dot, Tone.PLAIN);
            at = canvas.put(at, 0, width, "paused", Tone.WARN);
        }
        if (at + 2 + right.length() <= width) {
            canvas.putRight(width, 0, right, Tone.DIM);
        }
    }

    private void totals(Canvas canvas) {
        Figures figures = new Figures(glyphs);
        List<DeviceRow> rows = DeviceRow.arrange(data.registry(), "", DeviceRow.Sort.INDEX);
        List<DeviceRow> whole = rows.stream().filter(row -> row.depth() == 0).toList();
        OptionalDouble watts = sum(whole, row -> row.number(DeviceFact.POWER));
        OptionalDouble used = sum(whole, DeviceRow::memoryUsed);
        OptionalDouble memory = sum(whole, row -> row.number(DeviceFact.MEMORY));
        OptionalDouble load =
                whole.stream().flatMapToDouble(row -> row.load().stream()).average();
        OptionalDouble heat = whole.stream()
                .flatMapToDouble(row -> row.number(DeviceFact.TEMPERATURE).stream())
                .max();
        int parts = rows.size() - whole.size();
        String text = whole.size() + (whole.size() == 1 ? " device" : " devices")
                + (parts == 0 ? "" : " with " + parts + (parts == 1 ? " partition" : " partitions"))
                + "  load " + figures.percent(load)
                + "  memory " + figures.gib(used) + "/" + figures.gib(memory) + " GiB"
                + (watts.isEmpty() ? "" : "  power " + figures.whole(watts) + " W")
                + (heat.isEmpty() ? "" : "  hottest " + figures.whole(heat) + glyphs.degrees());
        int at = canvas.put(0, 1, width, text, Tone.PLAIN);
        int alerts = data.alerts().size();
        if (alerts > 0) {
            canvas.put(at, 1, width, "  " + alerts + (alerts == 1 ? " alert" : " alerts"), Tone.ALARM);
        }
    }

    /// Unknown if no device tells.
    private static OptionalDouble sum(List<DeviceRow> rows, Function<DeviceRow, OptionalDouble> figure) {
        return rows.stream().flatMapToDouble(row -> figure.apply(row).stream()).reduce(Double::sum);
    }

    private void draw(Canvas canvas, Pane pane, Area area) {
        title(canvas, pane, area);
        Area inside = area.below(1);
        switch (pane) {
            case DEVICES -> new DevicePane(canvas, glyphs, data.history()).draw(inside, devices(), state.offset(pane));
            case HISTORY -> new HistoryPane(canvas, glyphs, data.registry(), data.history()).draw(inside);
            case PROCESSES -> {
                List<ProcessRow> rows = processes();
                if (rows.isEmpty()) {
                    String none = data.processes().isEmpty() ? "no process is known" : "no process matches the filter";
                    canvas.put(inside.x(), inside.y(), inside.end(), none, Tone.DIM);
                } else {
                    new ProcessPane(canvas, glyphs).draw(inside, rows, state.offset(pane), state.focus() == pane);
                }
            }
            case TOPOLOGY -> new TopologyPane(canvas, glyphs).draw(inside, data.topology(), state.offset(pane));
            case ALERTS -> alerts(canvas, inside);
        }
    }

    private void title(Canvas canvas, Pane pane, Area area) {
        boolean focused = state.focus() == pane;
        canvas.put(area.x(), area.y(), area.end(), glyphs.rule().repeat(area.width()), Tone.DIM);
        int at = canvas.put(area.x() + 1, area.y(), area.end(), pane.key() + " ", Tone.DIM);
        at = canvas.put(at, area.y(), area.end(), pane.title(), focused ? Tone.TITLE : Tone.ACCENT);
        at = canvas.put(at, area.y(), area.end(), " ", Tone.DIM);
        String detail = detail(pane);
        if (!detail.isEmpty() && at + DisplayWidth.of(detail) + 3 < area.end()) {
            canvas.putRight(area.end() - 1, area.y(), " " + detail + " ", Tone.DIM);
        }
    }

    private String detail(Pane pane) {
        String filter = pane == Pane.DEVICES ? state.deviceFilter() : state.processFilter();
        String filtered = filter.isEmpty() ? "" : "filter '" + filter + "', ";
        return switch (pane) {
            case DEVICES -> filtered + "by " + state.deviceSort().word();
            case PROCESSES ->
                filtered + processes().size() + (state.tree() ? " as a tree" : "") + ", by "
                        + state.processSort().word();
            case TOPOLOGY -> data.topology().left() == 0 ? "" : data.topology().left() + " more devices";
            case HISTORY, ALERTS -> "";
        };
    }

    private void alerts(Canvas canvas, Area area) {
        int count = data.alerts().size();
        if (count + data.gaps().size() == 0) {
            canvas.put(area.x(), area.y(), area.end(), "nothing to report", Tone.DIM);
        }
        for (int i = 0; i < area.height(); i++) {
            int at = state.offset(Pane.ALERTS) + i;
            if (at < count) {
                AlertRule.Alert alert = data.alerts().get(at);
                int x = canvas.put(
                        area.x(), area.y() + i, area.end(), alert.device().text(), Tone.ALARM);
                line(canvas, x + 1, area.y() + i, area.end(), alert.text(), Tone.BAD);
            } else if (at - count < data.gaps().size()) {
                line(canvas, area.x(), area.y() + i, area.end(), data.gaps().get(at - count), Tone.DIM);
            }
        }
    }

    private void line(Canvas canvas, int x, int y, int end, String text, Tone tone) {
        canvas.put(x, y, end, DisplayWidth.cut(text, Math.max(0, end - x), glyphs.ellipsis()), tone);
    }

    private void help(Canvas canvas) {
        StringBuilder lines = new StringBuilder();
        Terminal room = new Terminal(true, false, false, width - 2);
        for (String line : HELP) {
            int text = Math.min(HELP_INDENT, line.length());
            room.wrap(lines, line.substring(0, text), HELP_INDENT, line.substring(text));
        }
        int y = HEAD + 1;
        for (String line : lines.toString().split("\n", -1)) {
            line(canvas, 2, y++, width, line, Tone.PLAIN);
        }
    }

    private void keys(Canvas canvas, int y) {
        List<String> keys = new ArrayList<>(KEYS);
        if (status.signals()) {
            keys.add(2, "k terminate");
        }
        if (status.replay()) {
            keys.add(2, ". step");
        }
        int at = 0;
        for (String key : keys) {
            if (at + key.length() > width) {
                return;
            }
            int blank = key.indexOf(' ');
            int behind = canvas.put(at, y, width, key.substring(0, blank), Tone.ACCENT);
            at = canvas.put(behind, y, width, key.substring(blank), Tone.DIM) + 2;
        }
    }

    private void foot(Canvas canvas) {
        int y = height - 1;
        if (state.confirming() != 0) {
            line(canvas, 0, y, width, "terminate process " + state.confirming() + " with SIGTERM? y or n", Tone.ALARM);
        } else if (state.editing()) {
            int at = canvas.put(0, y, width, "filter: " + state.filter(), Tone.STRONG);
            canvas.tint(at, y, at + 1, Tone.CURSOR);
        } else if (!status.message().isEmpty()) {
            line(canvas, 0, y, width, status.message(), Tone.WARN);
        } else {
            keys(canvas, y);
        }
    }
}
