package dev.muster.cli.topology;

import dev.muster.cli.render.SvgCanvas;
import dev.muster.core.Link;
import dev.muster.core.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Draws fabrics below the devices that they join: a bar for switches and for meshes in which each device is joined
/// with each, an arc for every other link.
///
/// @param canvas where to draw
/// @param devices the boxes of the devices
/// @param lane the height of one arc
/// @param bar the height of a bar
record FabricLanes(SvgCanvas canvas, Map<NodeId, PictureBox> devices, double lane, double bar) {
    private static final double THIN = 1.5;
    private static final double THICK = 4;

    /// The room that fabrics need.
    static double height(List<Fabric> fabrics, double lane, double bar) {
        double height = 0;
        for (Fabric fabric : fabrics) {
            height += isBar(fabric) ? lane + bar + 12 : lane * levels(fabric).size() + 12;
        }
        return height;
    }

    private static boolean isBar(Fabric fabric) {
        return !fabric.switches().isEmpty() || fabric.isFullMesh();
    }

    /// Draws all, each below the one before.
    void draw(List<Fabric> fabrics, double top) {
        double y = top;
        for (Fabric fabric : fabrics) {
            if (isBar(fabric)) {
                drawBar(fabric, y + lane);
                y += lane + bar + 12;
            } else {
                y = drawArcs(fabric, y);
            }
        }
    }

    private void drawBar(Fabric fabric, double y) {
        List<PictureBox> boxes = boxes(fabric);
        if (boxes.isEmpty()) {
            return;
        }
        double left = boxes.stream().mapToDouble(box -> box.x).min().orElse(0);
        double right =
                boxes.stream().mapToDouble(box -> box.x + box.width).max().orElse(0);
        String kind = fabric.kind().text();
        for (NodeId device : fabric.devices()) {
            PictureBox box = devices.get(device);
            int lanes = fabric.lanesOf(device);
            if (box != null) {
                canvas.path(
                        lanes == 0 ? kind + " down" : kind,
                        lanes > 1 ? THICK : THIN * 2,
                        "M" + SvgCanvas.number(box.centre()) + " " + SvgCanvas.number(box.bottom()) + "V"
                                + SvgCanvas.number(y));
                canvas.text("small", box.centre() + 6, y - 6, fabric.share(device));
            }
        }
        canvas.box("switch " + kind + (fabric.switches().isEmpty() ? " mesh" : ""), left, y, right - left, bar, 6);
        String names = fabric.switches().isEmpty() ? "" : " (" + switches(fabric) + ")";
        canvas.centred("name", (left + right) / 2, y + bar / 2 + 4, fabric.describe() + names);
    }

    private static String switches(Fabric fabric) {
        String first = fabric.switches().getFirst().name();
        return fabric.switches().size() == 1
                ? first
                : first + " to " + fabric.switches().getLast().name();
    }

    private List<PictureBox> boxes(Fabric fabric) {
        List<PictureBox> boxes = new ArrayList<>();
        for (NodeId device : fabric.devices()) {
            PictureBox box = devices.get(device);
            if (box != null) {
                boxes.add(box);
            }
        }
        return boxes;
    }

    /// Links that do not overlap share a level; devices are counted in the order of the fabric.
    private static List<List<Link>> levels(Fabric fabric) {
        List<List<Link>> levels = new ArrayList<>();
        for (Link link : fabric.links()) {
            List<Link> level = levels.stream()
                    .filter(others -> others.stream().noneMatch(other -> overlap(fabric, link, other)))
                    .findFirst()
                    .orElse(null);
            if (level == null) {
                level = new ArrayList<>();
                levels.add(level);
            }
            level.add(link);
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

    private double drawArcs(Fabric fabric, double top) {
        Map<NodeId, Integer> taken = new HashMap<>();
        double y = top;
        for (List<Link> level : levels(fabric)) {
            y += lane;
            for (Link link : level) {
                PictureBox a = devices.get(link.from());
                PictureBox b = devices.get(link.to());
                if (a != null && b != null) {
                    drawArc(
                            link,
                            foot(fabric, link.from(), a, taken),
                            a.bottom(),
                            foot(fabric, link.to(), b, taken),
                            b.bottom(),
                            y);
                }
            }
        }
        return y + 12;
    }

    /// Each link of a device leaves at a place of its own.
    private static double foot(Fabric fabric, NodeId device, PictureBox box, Map<NodeId, Integer> taken) {
        long links =
                fabric.links().stream().filter(link -> link.touches(device)).count();
        int place = taken.merge(device, 1, Integer::sum);
        return box.x + box.width * place / (links + 1);
    }

    private void drawArc(Link link, double from, double fromY, double to, double toY, double y) {
        double radius = Math.min(8, Math.abs(to - from) / 2);
        double turn = to > from ? radius : -radius;
        String path = "M" + point(from, fromY) + "V" + SvgCanvas.number(y - radius) + "Q" + point(from, y) + " "
                + point(from + turn, y) + "H" + SvgCanvas.number(to - turn) + "Q" + point(to, y) + " "
                + point(to, y - radius) + "V" + SvgCanvas.number(toY);
        canvas.path(link.kind().text() + (link.isDown() ? " down" : ""), link.lanes() > 1 ? THICK : THIN * 2, path);
        canvas.centred("small", (from + to) / 2, y - 5, LinkText.of(link));
    }

    private static String point(double x, double y) {
        return SvgCanvas.number(x) + " " + SvgCanvas.number(y);
    }
}
