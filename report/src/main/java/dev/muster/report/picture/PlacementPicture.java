// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.report.picture.Flow.Spot;
import dev.muster.report.picture.Placement.Device;
import dev.muster.report.text.Font;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.SvgCanvas;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Hosts as frames, in them groups of devices, in those the devices with a bar of their memory each. Immutable.
final class PlacementPicture {
    private static final double GAP = 8;
    private static final double HOST_GAP = 14;
    private static final double DEVICE_PADDING = 7;
    private static final double DEVICE_LINE = 13;
    private static final double BAR = 12;
    private static final double LEAST_DEVICE = 90;
    /// The width at which longer names are cut.
    private static final double WIDEST_DEVICE = 260;

    private static final double SWATCH = 12;
    private static final double NOTE_LINE = 15;

    private final Placement placement;
    private final double most;
    private final Frames<Device> hosts;

    /// @param most width of the page
    PlacementPicture(Placement placement, double most) {
        this.placement = placement;
        this.most = most;
        this.hosts = new Frames<>(placement.hosts(), deviceSize(), most, GAP, HOST_GAP);
    }

    double height() {
        return hosts.height()
                + HOST_GAP
                + legendFlow().height()
                + GAP
                + noteLines().size() * NOTE_LINE;
    }

    void draw(SvgCanvas canvas, double x, double y) {
        hosts.draw(canvas, x, y, (devices, spots) -> {
            for (int i = 0; i < spots.size(); i++) {
                drawDevice(canvas, devices.get(i), spots.get(i));
            }
        });
        double legend = y + hosts.height() + HOST_GAP;
        drawLegend(canvas, x, legend);
        double baseline = legend + legendFlow().height() + GAP + NOTE_LINE - 4;
        for (String line : noteLines()) {
            canvas.text("line", x, baseline, line);
            baseline += NOTE_LINE;
        }
    }

    private Spot deviceSize() {
        double width = LEAST_DEVICE;
        int lines = 0;
        for (Device device : placement.devices()) {
            width = Math.max(width, Font.LINE.width(device.name()));
            for (String line : device.lines()) {
                width = Math.max(width, Font.SMALL.width(line));
            }
            lines = Math.max(lines, device.lines().size());
        }
        double height = 2 * DEVICE_PADDING + DEVICE_LINE + BAR + 2 + lines * DEVICE_LINE;
        return new Spot(0, 0, Math.min(width, WIDEST_DEVICE) + 2 * DEVICE_PADDING, height);
    }

    private static void drawDevice(SvgCanvas canvas, Device device, Spot spot) {
        canvas.startGroup(device.name() + ": " + device.memory().sentence());
        spot.draw(canvas, "device", 4);
        double x = spot.x() + DEVICE_PADDING;
        double baseline = spot.y() + DEVICE_PADDING + DEVICE_LINE - 3;
        double room = spot.width() - 2 * DEVICE_PADDING;
        canvas.text("line", x, baseline, Font.LINE.cut(device.name(), room));
        drawBar(canvas, device.memory(), x, baseline + 5, room);
        baseline += BAR + 4;
        for (String line : device.lines()) {
            baseline += DEVICE_LINE;
            canvas.text("small", x, baseline, Font.SMALL.cut(line, room));
        }
        canvas.endGroup();
    }

    private static void drawBar(SvgCanvas canvas, DeviceMemory memory, double x, double y, double width) {
        canvas.box("free", x, y, width, BAR, 0);
        double unit = width / memory.scale();
        double left = x;
        for (DeviceMemory.Part part : memory.parts()) {
            canvas.box(part.kind().style(), left, y, part.bytes() * unit, BAR, 0);
            left += part.bytes() * unit;
        }
        if (!memory.fits()) {
            double end = x + memory.capacity() * unit;
            canvas.line("end", 3, end, y - 2, end, y + BAR + 2);
        }
    }

    /// Returns style and meaning of each item, with figures if one bar stands for all.
    private List<Map.Entry<String, String>> legend() {
        Map<DeviceMemory.Kind, Double> kinds = new EnumMap<>(DeviceMemory.Kind.class);
        placement
                .devices()
                .forEach(device ->
                        device.memory().parts().forEach(part -> kinds.putIfAbsent(part.kind(), part.bytes())));
        List<Map.Entry<String, String>> items = new ArrayList<>();
        kinds.forEach((kind, bytes) -> items.add(
                Map.entry(kind.style(), kind.display() + (placement.isAlike() ? " " + Quantity.ofBytes(bytes) : ""))));
        DeviceMemory first = placement.devices().getFirst().memory();
        if (!placement.isAlike()) {
            items.add(Map.entry("free", "free"));
        } else if (first.fits()) {
            items.add(Map.entry(
                    "free",
                    "free " + Quantity.ofBytes(first.free()) + " of " + Quantity.ofBytes(first.capacity())
                            + " on each device"));
        } else {
            items.add(Map.entry("end", "a device ends at " + Quantity.ofBytes(first.capacity())));
        }
        return items;
    }

    private Flow legendFlow() {
        return Flow.of(
                legend().stream()
                        .map(item -> new Spot(0, 0, SWATCH + 18 + Font.SMALL.width(item.getValue()), SWATCH))
                        .toList(),
                most,
                GAP);
    }

    private void drawLegend(SvgCanvas canvas, double x, double y) {
        List<Map.Entry<String, String>> items = legend();
        Flow flow = legendFlow();
        for (int i = 0; i < items.size(); i++) {
            Spot spot = flow.spots().get(i).moved(x, y);
            String style = items.get(i).getKey();
            if (style.equals("end")) {
                double middle = spot.x() + SWATCH / 2;
                canvas.line(style, 3, middle, spot.y(), middle, spot.y() + SWATCH);
            } else {
                canvas.box(style, spot.x(), spot.y(), SWATCH, SWATCH, 2);
            }
            canvas.text(
                    "small",
                    spot.x() + SWATCH + 6,
                    spot.y() + SWATCH - 2,
                    items.get(i).getValue());
        }
    }

    private List<String> noteLines() {
        return Page.wrap(placement.notes(), most);
    }
}
