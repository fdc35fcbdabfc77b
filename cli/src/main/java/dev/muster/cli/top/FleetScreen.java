// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.text.FixedText;
import dev.muster.fleet.FleetHost;
import dev.muster.report.host.FleetText;
import dev.muster.report.text.DisplayWidth;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/// The hosts or the users of a fleet on one screen. Colours mean the state of a host. Immutable.
///
/// @param hosts all hosts
/// @param shown the hosts to show, in their order
/// @param users the users to show; empty where hosts are shown
/// @param state the user's choices
/// @param status what stands in the head, and what went wrong
/// @param width number of columns
/// @param height number of lines
/// @param glyphs with which characters to draw
record FleetScreen(
        List<HostRow> hosts,
        List<HostRow> shown,
        List<HolderRow> users,
        FleetState state,
        Status status,
        int width,
        int height,
        Glyphs glyphs) {
    private static final int HEAD = 3;
    private static final int LEAST_WIDTH = 20;
    private static final int LEAST_HEIGHT = 6;
    private static final List<String> KEYS =
            List.of("q quit", "h help", "enter open", "u users", "s sort", "/ filter", "space pause");
    private static final List<String> HELP = List.of(
            "q        quit",
            "arrows   choose a row; page up and down, home and end",
            "enter    show the devices of the host, or the hosts of the user; escape leads back",
            "u        users in place of hosts: who holds what, those with idle devices first",
            "s        sort hosts by load, power, temperature, owner or name",
            "/        filter by name, state, device or user; enter applies, escape clears",
            "space p  pause the screen; the sources are read on");

    /// The status of the program itself.
    ///
    /// @param time time of the newest reading
    /// @param pace interval of readings
    /// @param message a source that cannot be read; blank for nothing
    record Status(String time, String pace, String message) {}

    /// Returns the number of rows on a page.
    int page() {
        return Math.max(1, height - HEAD - 2);
    }

    int rows() {
        return state.users() ? users.size() : shown.size();
    }

    Canvas draw() {
        Canvas canvas = new Canvas(width, height);
        if (width < LEAST_WIDTH || height < LEAST_HEIGHT) {
            canvas.put(0, 0, width, "too small", Tone.PLAIN);
            return canvas;
        }
        head(canvas);
        Area area = new Area(0, HEAD, width, height - HEAD - 1);
        if (state.help()) {
            for (int i = 0; i < HELP.size(); i++) {
                line(canvas, 2, HEAD + i, HELP.get(i), Tone.PLAIN);
            }
        } else if (rows() == 0) {
            line(
                    canvas,
                    0,
                    HEAD + 1,
                    hosts.isEmpty() ? "no host is known yet" : "nothing matches the filter",
                    Tone.DIM);
        } else if (state.users()) {
            users(canvas, area);
        } else {
            hosts(canvas, area);
        }
        foot(canvas);
        return canvas;
    }

    private void head(Canvas canvas) {
        Figures figures = new Figures(glyphs);
        String dot = " " + glyphs.dot() + " ";
        int at = canvas.put(0, 0, width, "muster top", Tone.TITLE);
        at = canvas.put(at, 0, width, dot + status.time() + dot + status.pace(), Tone.PLAIN);
        if (state.paused()) {
            canvas.put(canvas.put(at, 0, width, dot, Tone.PLAIN), 0, width, "paused", Tone.WARN);
        }
        HostRow.Sum load = new HostRow.Sum();
        HostRow.Sum power = new HostRow.Sum();
        int devices = 0;
        int held = 0;
        int down = 0;
        for (HostRow row : hosts) {
            load.add(row.load());
            power.add(row.power());
            devices += row.devices().size();
            held += row.held();
            down += tone(row.host()) == Tone.BAD ? 1 : 0;
        }
        int end = canvas.put(
                0,
                1,
                width,
                hosts.size() + " hosts, " + devices + " devices, " + held + " held"
                        + (load.count() == 0 ? "" : "  load " + figures.percent(load.mean()))
                        + (power.count() == 0 ? "" : "  power " + kilowatts(power.total())),
                Tone.PLAIN);
        if (down > 0) {
            canvas.put(end, 1, width, "  " + down + " down", Tone.ALARM);
        }
        canvas.put(0, 2, width, glyphs.rule().repeat(width), Tone.DIM);
        String title = state.users()
                ? " users, those with idle devices first "
                : " hosts by " + state.sort().word() + " ";
        String filter = state.filter().isEmpty() ? "" : "filter '" + state.filter() + "', " + rows() + " ";
        canvas.put(canvas.put(1, 2, width, title, Tone.TITLE), 2, width, filter, Tone.DIM);
    }

    private static String kilowatts(OptionalDouble watts) {
        return FixedText.of(watts.orElse(0) / 1000, 1) + " kW";
    }

    /// The first row on the screen: a page is left when the mark leaves it.
    private int first() {
        int marked = Math.min(state.marked(), rows() - 1);
        return marked < 0 ? 0 : marked - marked % page();
    }

    private void hosts(Canvas canvas, Area area) {
        int name = IntStream.range(first(), Math.min(shown.size(), first() + page()))
                .map(i -> DisplayWidth.of(shown.get(i).host().name()))
                .max()
                .orElse(4);
        List<Columns.Column> columns = List.of(
                new Columns.Column("HOST", 0, Math.clamp(name, 4, 30), Math.max(4, name), false),
                new Columns.Column("STATE", 3, 9, 12, false),
                new Columns.Column("DEVICES", 4, 12, 24, false),
                new Columns.Column("HELD", 1, 5, 5, true),
                new Columns.Column("LOAD", 1, 10, 20, false),
                new Columns.Column("MEMORY GiB", 2, 11, 11, true),
                new Columns.Column("POWER W", 2, 7, 7, true),
                new Columns.Column("HOT", 2, 5, 5, true),
                new Columns.Column("OWNERS", 1, 8, 60, false));
        table(canvas, area, columns, (i, place, y) -> cell(canvas, shown.get(i), place, y));
    }

    private void cell(Canvas canvas, HostRow row, Columns.Placed place, int y) {
        Figures figures = new Figures(glyphs);
        FleetHost host = row.host();
        switch (place.index()) {
            case 0 -> text(canvas, place, y, host.name(), tone(host));
            case 1 -> text(canvas, place, y, FleetText.state(host), tone(host));
            case 2 ->
                text(
                        canvas,
                        place,
                        y,
                        row.devices().isEmpty() ? "none" : row.devices().size() + " x " + row.kind(),
                        Tone.PLAIN);
            case 3 -> right(canvas, place, y, row.held() + "/" + row.devices().size());
            case 4 -> bar(canvas, place, y, row.load(), figures);
            case 5 ->
                right(
                        canvas,
                        place,
                        y,
                        row.memoryUsed().isEmpty()
                                ? figures.gib(row.memory())
                                : figures.gib(row.memoryUsed()) + "/" + figures.gib(row.memory()));
            case 6 -> right(canvas, place, y, figures.whole(row.power()));
            case 7 ->
                right(
                        canvas,
                        place,
                        y,
                        row.temperature().isEmpty()
                                ? glyphs.unknown()
                                : figures.whole(row.temperature()) + glyphs.degrees());
            default -> text(canvas, place, y, row.owners(), Tone.PLAIN);
        }
    }

    private void users(Canvas canvas, Area area) {
        List<Columns.Column> columns = List.of(
                new Columns.Column("USER", 0, 12, 30, false),
                new Columns.Column("DEVICES", 1, 7, 7, true),
                new Columns.Column("IDLE", 1, 6, 6, true),
                new Columns.Column("HOSTS", 2, 6, 6, true),
                new Columns.Column("LOAD", 1, 10, 24, false),
                new Columns.Column("POWER W", 3, 8, 8, true));
        Figures figures = new Figures(glyphs);
        table(canvas, area, columns, (i, place, y) -> {
            HolderRow row = users.get(i);
            switch (place.index()) {
                case 0 -> text(canvas, place, y, row.name(), Tone.STRONG);
                case 1 -> right(canvas, place, y, Integer.toString(row.devices()));
                case 2 -> right(canvas, place, y, figures.whole(row.idle()));
                case 3 -> right(canvas, place, y, Integer.toString(row.hosts()));
                case 4 -> bar(canvas, place, y, row.load(), figures);
                default -> right(canvas, place, y, figures.whole(row.power()));
            }
        });
    }

    /// Draws a cell of a row.
    private interface Cell {
        void draw(int row, Columns.Placed place, int y);
    }

    private void table(Canvas canvas, Area area, List<Columns.Column> columns, Cell cell) {
        List<Columns.Placed> placed = Columns.fit(columns, area.x(), area.width(), _ -> true);
        for (Columns.Placed place : placed) {
            Columns.Column column = columns.get(place.index());
            if (column.right()) {
                canvas.putRight(place.end(), area.y(), column.title(), Tone.DIM);
            } else {
                canvas.put(place.x(), area.y(), place.end(), column.title(), Tone.DIM);
            }
        }
        int first = first();
        for (int i = 0; i < area.height() - 1 && first + i < rows(); i++) {
            int y = area.y() + 1 + i;
            for (Columns.Placed place : placed) {
                cell.draw(first + i, place, y);
            }
            if (first + i == Math.min(state.marked(), rows() - 1)) {
                canvas.tint(0, y, width, Tone.CURSOR);
            }
        }
    }

    private void text(Canvas canvas, Columns.Placed place, int y, String text, Tone tone) {
        canvas.put(place.x(), y, place.end(), DisplayWidth.cut(text, place.width(), glyphs.ellipsis()), tone);
    }

    private void right(Canvas canvas, Columns.Placed place, int y, String text) {
        canvas.putRight(place.end(), y, text, Tone.PLAIN);
    }

    private void bar(Canvas canvas, Columns.Placed place, int y, OptionalDouble share, Figures figures) {
        String text = figures.percent(share);
        int room = Math.max(0, place.width() - 5);
        String filled = share.isEmpty() ? "" : glyphs.filled(share.getAsDouble(), room);
        int at = canvas.put(place.x(), y, place.x() + room, filled, Tone.ACCENT);
        canvas.put(at, y, place.x() + room, glyphs.track(room), Tone.DIM);
        canvas.putRight(place.end(), y, text, Tone.PLAIN);
    }

    private static Tone tone(FleetHost host) {
        return switch (host.state().kind()) {
            case READY -> Tone.STRONG;
            case UNKNOWN -> Tone.PLAIN;
            case DRAINING -> Tone.WARN;
            case DOWN -> Tone.BAD;
        };
    }

    private void line(Canvas canvas, int x, int y, String text, Tone tone) {
        canvas.put(x, y, width, DisplayWidth.cut(text, Math.max(0, width - x), glyphs.ellipsis()), tone);
    }

    private void foot(Canvas canvas) {
        int y = height - 1;
        if (state.editing()) {
            int at = canvas.put(0, y, width, "filter: " + state.filter(), Tone.STRONG);
            canvas.tint(at, y, at + 1, Tone.CURSOR);
        } else if (!status.message().isBlank()) {
            line(canvas, 0, y, status.message(), Tone.WARN);
        } else {
            int at = 0;
            for (String key : KEYS) {
                if (at + key.length() <= width) {
                    int blank = key.indexOf(' ');
                    int behind = canvas.put(at, y, width, key.substring(0, blank), Tone.ACCENT);
                    at = canvas.put(behind, y, width, key.substring(blank), Tone.DIM) + 2;
                }
            }
        }
    }
}
