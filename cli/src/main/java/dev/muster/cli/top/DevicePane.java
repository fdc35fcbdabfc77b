// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.DeviceUsability;
import dev.muster.monitor.SampleHistory;
import dev.muster.report.text.DisplayWidth;
import java.util.List;
import java.util.OptionalDouble;

/// The table of devices: bars for load and memory, a sparkline of the load, figures.
///
/// @param canvas canvas to draw on
/// @param glyphs with which characters
/// @param history the samples before
record DevicePane(Canvas canvas, Glyphs glyphs, SampleHistory history) {
    private static final int WIDEST_ID = 18;
    private static final double WARM = 70;
    private static final double HOT = 85;
    private static final double BUSY = 0.7;
    private static final double FULL = 0.9;

    /// Draws as many rows as there is room for, from one on.
    void draw(Area area, List<DeviceRow> rows, int first) {
        List<Columns.Column> columns = columns(rows);
        List<Columns.Placed> placed = Columns.fit(columns, area.x(), area.width(), index -> isKnown(index, rows));
        for (Columns.Placed place : placed) {
            Columns.Column column = columns.get(place.index());
            if (column.right()) {
                canvas.putRight(place.end(), area.y(), column.title(), Tone.DIM);
            } else {
                canvas.put(place.x(), area.y(), place.end(), column.title(), Tone.DIM);
            }
        }
        for (int i = 0; i < area.height() - 1 && first + i < rows.size(); i++) {
            for (Columns.Placed place : placed) {
                draw(rows.get(first + i), place, area.y() + 1 + i);
            }
        }
    }

    private List<Columns.Column> columns(List<DeviceRow> rows) {
        int id = 2;
        for (DeviceRow row : rows) {
            id = Math.max(id, DisplayWidth.of(id(row)));
        }
        String slash = "/";
        return List.of(
                new Columns.Column("ID", 0, Math.min(id, WIDEST_ID), Math.min(id, WIDEST_ID), false),
                new Columns.Column("NAME", 4, 11, 22, false),
                new Columns.Column("LOAD", 1, 11, 25, false),
                new Columns.Column("LAST", 6, 8, 45, false),
                new Columns.Column("MEMORY GiB", 2, 18, 32, false),
                new Columns.Column("POWER W", 3, 8, 8, true),
                new Columns.Column("TEMP", 3, 5, 5, true),
                new Columns.Column("MHz", 9, 4, 5, true),
                new Columns.Column("PCIe GB/s " + glyphs.down() + slash + glyphs.up(), 8, 13, 13, true),
                new Columns.Column("LINKS GB/s " + glyphs.down() + slash + glyphs.up(), 7, 14, 14, true));
    }

    /// Reports whether a column has a value at all; most devices do not count what passes over their links.
    private boolean isKnown(int column, List<DeviceRow> rows) {
        return switch (column) {
            case 5 -> anyKnown(rows, DeviceFact.POWER);
            case 6 -> anyKnown(rows, DeviceFact.TEMPERATURE);
            case 7 -> anyKnown(rows, DeviceFact.CLOCK);
            case 8 -> anyKnown(rows, DeviceFact.PCIE_RECEIVED) || anyKnown(rows, DeviceFact.PCIE_SENT);
            case 9 -> anyKnown(rows, DeviceFact.FABRIC_RECEIVED) || anyKnown(rows, DeviceFact.FABRIC_SENT);
            default -> true;
        };
    }

    private static boolean anyKnown(List<DeviceRow> rows, DeviceFact<?> fact) {
        return rows.stream().anyMatch(row -> row.number(fact).isPresent());
    }

    /// A device that others use is usable by them.
    private static boolean isUsable(DeviceRow row) {
        return DeviceUsability.of(row.device())
                .findObstacle()
                .filter(reason -> reason.obstacle() != DeviceUsability.Obstacle.IN_USE)
                .isEmpty();
    }

    private void draw(DeviceRow row, Columns.Placed place, int y) {
        Figures figures = new Figures(glyphs);
        switch (place.index()) {
            case 0 -> text(place, y, id(row), isUsable(row) ? Tone.STRONG : Tone.DIM);
            case 1 -> text(place, y, name(row, place.width()), isUsable(row) ? Tone.PLAIN : Tone.DIM);
            case 2 -> bar(place, y, row.load(), figures.percent(row.load()), 5, BUSY, FULL);
            case 3 -> sparks(place, y, row.device().id());
            case 4 ->
                bar(
                        place,
                        y,
                        row.memoryShare(),
                        figures.gib(row.memoryUsed()) + "/" + figures.gib(row.number(DeviceFact.MEMORY)),
                        10,
                        BUSY,
                        FULL);
            case 5 -> {
                OptionalDouble share = row.powerShare();
                Tone tone = share.isPresent() ? Tone.ofShare(share.getAsDouble(), FULL, 1.0) : Tone.PLAIN;
                canvas.putRight(place.end(), y, power(row, figures), tone == Tone.GOOD ? Tone.PLAIN : tone);
            }
            case 6 -> {
                OptionalDouble heat = row.number(DeviceFact.TEMPERATURE);
                Tone tone = heat.isPresent() ? Tone.ofShare(heat.getAsDouble(), WARM, HOT) : Tone.PLAIN;
                canvas.putRight(
                        place.end(),
                        y,
                        heat.isEmpty() ? glyphs.unknown() : figures.whole(heat) + glyphs.degrees(),
                        tone);
            }
            case 7 -> {
                OptionalDouble clock = row.number(DeviceFact.CLOCK);
                String text = clock.isEmpty()
                        ? glyphs.unknown()
                        : figures.whole(OptionalDouble.of(clock.getAsDouble() / 1e6));
                canvas.putRight(place.end(), y, text, Tone.PLAIN);
            }
            case 8 -> rates(place, y, row.number(DeviceFact.PCIE_RECEIVED), row.number(DeviceFact.PCIE_SENT));
            default -> {
                DeviceId id = row.device().id();
                rates(place, y, history.rate(id, DeviceFact.FABRIC_RECEIVED), history.rate(id, DeviceFact.FABRIC_SENT));
            }
        }
    }

    private void text(Columns.Placed place, int y, String text, Tone tone) {
        canvas.put(place.x(), y, place.end(), DisplayWidth.cut(text, place.width(), glyphs.ellipsis()), tone);
    }

    private void bar(
            Columns.Placed place, int y, OptionalDouble share, String figure, int room, double warn, double bad) {
        int width = place.width() - room - 1;
        if (share.isPresent()) {
            Tone tone = Tone.ofShare(share.getAsDouble(), warn, bad);
            int at = canvas.put(place.x(), y, place.x() + width, glyphs.filled(share.getAsDouble(), width), tone);
            canvas.put(at, y, place.x() + width, glyphs.track(place.x() + width - at), Tone.DIM);
        } else {
            canvas.put(place.x(), y, place.x() + width, glyphs.track(width), Tone.DIM);
        }
        canvas.putRight(place.end(), y, figure, Tone.PLAIN);
    }

    private void sparks(Columns.Placed place, int y, DeviceId device) {
        List<SampleHistory.HistoryPoint> points = history.series(device, DeviceFact.UTILIZATION, place.width());
        int at = place.end() - points.size();
        for (SampleHistory.HistoryPoint point : points) {
            Tone tone = point.value().isPresent() ? Tone.ofShare(point.value().getAsDouble(), BUSY, FULL) : Tone.DIM;
            canvas.put(at, y, at + 1, glyphs.spark(point.value()), tone);
            at++;
        }
    }

    private void rates(Columns.Placed place, int y, OptionalDouble down, OptionalDouble up) {
        Figures figures = new Figures(glyphs);
        canvas.putRight(place.end() - place.width() / 2, y, figures.rate(down), Tone.PLAIN);
        canvas.putRight(place.end(), y, figures.rate(up), Tone.PLAIN);
    }

    private String power(DeviceRow row, Figures figures) {
        OptionalDouble limit = row.number(DeviceFact.POWER_LIMIT);
        return figures.whole(row.number(DeviceFact.POWER)) + (limit.isEmpty() ? "" : "/" + figures.whole(limit));
    }

    private String id(DeviceRow row) {
        return row.depth() == 0
                ? row.device().id().text()
                : glyphs.branch()
                        + row.device().partition().map(part -> part.shape()).orElse("");
    }

    /// Without the vendor's name if it does not fit.
    private static String name(DeviceRow row, int width) {
        String name = row.device()
                .deviceName()
                .find()
                .orElseGet(() -> row.device().accelerator().display());
        int blank = name.indexOf(' ');
        return name.length() > width && blank > 0 ? name.substring(blank + 1) : name;
    }
}
