// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.topology;

import dev.muster.core.Link;
import dev.muster.core.NodeId;
import dev.muster.report.text.Font;
import dev.muster.report.text.SvgCanvas;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Draws fabrics below the devices that they join: a bar for switches and for meshes in which each device is joined
/// with each, an arc for every other link. Fabrics that do not lie above each other share a height.
final class FabricLanes {
    static final double LANE = 30;
    static final double BAR = 26;
    private static final double GAP = 12;
    private static final double THIN = 3;
    private static final double THICK = 4;
    private static final double SMALL_LINE = 11;

    private final Map<NodeId, PictureBox> devices;
    private final List<Lane> lanes = new ArrayList<>();

    /// A fabric and its place.
    private record Lane(Fabric fabric, double left, double right, double top, double height) {}

    /// @param devices boxes of the devices, already placed
    FabricLanes(List<Fabric> fabrics, Map<NodeId, PictureBox> devices) {
        this.devices = devices;
        for (Fabric fabric : fabrics) {
            List<PictureBox> boxes = fabric.devices().stream()
                    .filter(devices::containsKey)
                    .map(devices::get)
                    .toList();
            if (!boxes.isEmpty()) {
                double left = boxes.stream().mapToDouble(box -> box.x).min().orElseThrow();
                double right = boxes.stream()
                        .mapToDouble(box -> box.x + box.width)
                        .max()
                        .orElseThrow();
                double top = lanes.stream()
                        .filter(lane -> lane.left < right && left < lane.right)
                        .mapToDouble(lane -> lane.top + lane.height)
                        .max()
                        .orElse(0);
                double height = GAP
                        + (isBar(fabric) ? LANE + BAR : LANE * levels(fabric).size());
                lanes.add(new Lane(fabric, left, right, top, height));
            }
        }
    }

    double height() {
        return lanes.stream().mapToDouble(lane -> lane.top + lane.height).max().orElse(0);
    }

    private static boolean isBar(Fabric fabric) {
        return !fabric.switches().isEmpty() || fabric.isFullMesh();
    }

    void draw(SvgCanvas canvas, double top) {
        for (Lane lane : lanes) {
            if (isBar(lane.fabric)) {
                drawBar(canvas, lane, top + lane.top + LANE);
            } else {
                drawArcs(canvas, lane.fabric, top + lane.top);
            }
        }
    }

    private void drawBar(SvgCanvas canvas, Lane lane, double y) {
        Fabric fabric = lane.fabric;
        String kind = fabric.kind().text();
        Optional<String> share = fabric.findCommonShare();
        for (NodeId device : fabric.devices()) {
            PictureBox box = devices.get(device);
            int lanes = fabric.lanesOf(device);
            if (box != null) {
                String style = lanes == 0 ? kind + " down" : kind;
                canvas.path(style, lanes > 1 ? THICK : THIN, "M##V#", box.centre(), box.bottom(), y);
                if (share.isEmpty()) {
                    List<String> own = List.of(fabric.share(device).split(", ", -1));
                    for (int i = 0; i < own.size(); i++) {
                        canvas.text("small", box.centre() + 6, y - 6 - SMALL_LINE * (own.size() - 1 - i), own.get(i));
                    }
                }
            }
        }
        double width = lane.right - lane.left;
        canvas.box("switch " + kind + (fabric.switches().isEmpty() ? " mesh" : ""), lane.left, y, width, BAR, 6);
        String each = share.map(same -> ", " + same + " each").orElse("");
        canvas.centred(
                "name",
                lane.left + width / 2,
                y + BAR / 2 + 4,
                longest(width - GAP, fabric.describe() + fabric.switchNames() + each, fabric.describe() + each));
    }

    private static String longest(double room, String text, String shorter) {
        return Font.NAME.width(text) <= room ? text : Font.NAME.cut(shorter, room);
    }

    /// Returns links in levels: those that do not overlap share a level; devices are counted in the order of the
    /// fabric.
    private static List<List<Link>> levels(Fabric fabric) {
        List<List<Link>> levels = new ArrayList<>();
        for (Link link : fabric.links()) {
            Optional<List<Link>> level = levels.stream()
                    .filter(others -> others.stream().noneMatch(other -> overlap(fabric, link, other)))
                    .findFirst();
            level.ifPresentOrElse(others -> others.add(link), () -> levels.add(new ArrayList<>(List.of(link))));
        }
        return levels;
    }

    private static boolean overlap(Fabric fabric, Link a, Link b) {
        return low(fabric, a) < high(fabric, b) && low(fabric, b) < high(fabric, a);
    }

    private static int low(Fabric fabric, Link link) {
        return Math.min(fabric.devices().indexOf(link.from()), fabric.devices().indexOf(link.to()));
    }

    private static int high(Fabric fabric, Link link) {
        return Math.max(fabric.devices().indexOf(link.from()), fabric.devices().indexOf(link.to()));
    }

    private void drawArcs(SvgCanvas canvas, Fabric fabric, double top) {
        Map<NodeId, Integer> taken = new HashMap<>();
        double y = top;
        for (List<Link> level : levels(fabric)) {
            y += LANE;
            for (Link link : level) {
                PictureBox a = devices.get(link.from());
                PictureBox b = devices.get(link.to());
                if (a != null && b != null) {
                    double from = foot(fabric, link.from(), a, taken);
                    double to = foot(fabric, link.to(), b, taken);
                    double radius = Math.min(8, Math.abs(to - from) / 2);
                    double turn = to > from ? radius : -radius;
                    canvas.path(
                            link.kind().text() + (link.isDown() ? " down" : ""),
                            link.lanes() > 1 ? THICK : THIN,
                            "M##V#Q####H#Q####V#",
                            new double[] {
                                from,
                                a.bottom(),
                                y - radius,
                                from,
                                y,
                                from + turn,
                                y,
                                to - turn,
                                to,
                                y,
                                to,
                                y - radius,
                                b.bottom()
                            });
                    canvas.centred("small", (from + to) / 2, y - 5, Fabric.describe(link));
                }
            }
        }
    }

    /// Returns the place at which a link leaves its device; each has its own.
    private static double foot(Fabric fabric, NodeId device, PictureBox box, Map<NodeId, Integer> taken) {
        long links =
                fabric.links().stream().filter(link -> link.touches(device)).count();
        int place = taken.merge(device, 1, Integer::sum);
        return box.x + box.width * place / (links + 1);
    }
}
