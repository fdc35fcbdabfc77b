package dev.muster.cli.topology;

import dev.muster.cli.render.DeviceField;
import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.SvgCanvas;
import dev.muster.cli.render.SvgText;
import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.Partition;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A machine as a picture: boxes in boxes for host, NUMA nodes, bridges and devices, with the fabrics that join the
/// devices drawn below them.
public final class TopologyPicture {
    private static final double MARGIN = 20;
    private static final double HOST_PADDING = 16;
    private static final double NUMA_PADDING = 10;
    private static final double NUMA_GAP = 28;
    private static final double BRIDGE_PADDING = 7;
    private static final double DEVICE_PADDING = 8;
    private static final double GAP = 8;
    private static final double WIDEST_TEXT = 260;
    private static final double WIDEST_TITLE = 520;
    private static final double LANE = 30;
    private static final double BAR = 26;
    private static final double LEGEND = 30;
    private static final double SWATCH = 12;
    private static final double SMALL_SIZE = 10;

    private final AcceleratorRegistry registry;
    private final NodeText words;
    private final List<Fabric> fabrics;
    private final Map<NodeId, PictureBox> devices = new HashMap<>();
    /// Style and meaning of what occurs, for the legend.
    private final Map<String, String> legend = new TreeMap<>(Comparator.comparingInt(TopologyPicture::legendOrder));

    private TopologyPicture(AcceleratorRegistry registry) {
        this.registry = registry;
        this.words = new NodeText(registry);
        this.fabrics = Fabric.of(registry.topology());
    }

    /// The picture of a registry's machine, as SVG.
    public static String of(AcceleratorRegistry registry) {
        return new TopologyPicture(registry).draw();
    }

    private String draw() {
        List<PictureBox> hosts = new ArrayList<>();
        for (Branch root : TopologyTree.of(registry)) {
            PictureBox host = hostBox(root);
            host.measure();
            host.lower.stream()
                    .filter(box -> box.node instanceof TopologyNode.Numa)
                    .forEach(box -> box.stretch(highest(host.lower)));
            hosts.add(host);
        }
        double fabricHeight = FabricLanes.height(fabrics, LANE, BAR);
        double width = legendWidth();
        double x = MARGIN;
        double highest = 0;
        for (PictureBox host : hosts) {
            host.place(x, MARGIN);
            x += host.width + MARGIN;
            highest = Math.max(highest, host.height);
        }
        width = Math.max(width + 2 * MARGIN, x);
        double height = MARGIN + highest + fabricHeight + LEGEND + MARGIN;
        SvgCanvas canvas = new SvgCanvas(
                width, height, "Topology of " + hosts.getFirst().name, TopologyStyle.LIGHT, TopologyStyle.DARK);
        canvas.box("page", 0, 0, width, height, 0);
        for (PictureBox host : hosts) {
            host.height += fabricHeight;
            canvas.box(host.style, host.x, host.y, host.width, host.height, 10);
            drawHost(host, canvas);
        }
        new FabricLanes(canvas, devices, LANE, BAR).draw(fabrics, MARGIN + highest - HOST_PADDING);
        drawLegend(canvas, MARGIN + highest + fabricHeight + LEGEND - SWATCH / 2);
        return canvas.finish();
    }

    private static double highest(List<PictureBox> boxes) {
        return boxes.stream().mapToDouble(box -> box.height).max().orElse(0);
    }

    private void drawHost(PictureBox host, SvgCanvas canvas) {
        canvas.text("title", host.x + HOST_PADDING, host.y + HOST_PADDING + PictureBox.LINE - 3, host.name);
        List<PictureBox> numas = host.lower.stream()
                .filter(box -> box.node instanceof TopologyNode.Numa)
                .toList();
        for (Link link : registry.topology().links()) {
            if (link.kind() == LinkKind.SOCKET) {
                drawSocket(link, numas, canvas);
            }
        }
        host.upper.forEach(box -> box.draw(canvas));
        host.lower.forEach(box -> box.draw(canvas));
    }

    /// Between neighbours a thick line; others would run through boxes and are left to the matrix.
    private void drawSocket(Link link, List<PictureBox> numas, SvgCanvas canvas) {
        for (int i = 0; i + 1 < numas.size(); i++) {
            PictureBox left = numas.get(i);
            PictureBox right = numas.get(i + 1);
            if (link.touches(left.node.id()) && link.touches(right.node.id())) {
                legend.put("socket", Fabric.name(LinkKind.SOCKET));
                double y = left.y + left.height / 2;
                canvas.path(
                        "socket",
                        4,
                        "M" + SvgCanvas.number(left.x + left.width) + " " + SvgCanvas.number(y) + "H"
                                + SvgCanvas.number(right.x));
            }
        }
    }

    private PictureBox hostBox(Branch root) {
        PictureBox box = new PictureBox(
                root.node(), "host", words.title(root.node()), List.of(), HOST_PADDING, NUMA_GAP, WIDEST_TITLE);
        root.children().forEach(child -> addTo(box, child));
        return box;
    }

    private void addTo(PictureBox parent, Branch branch) {
        PictureBox box = box(branch);
        boolean small = branch.node() instanceof TopologyNode.Nic || isCpu(branch.node());
        (small ? parent.upper : parent.lower).add(box);
        branch.children().forEach(child -> addTo(box, child));
    }

    private PictureBox box(Branch branch) {
        TopologyNode node = branch.node();
        String title = words.title(node);
        List<String> details = words.details(node);
        return switch (node) {
            case TopologyNode.Device device -> deviceBox(device, title, details);
            case TopologyNode.Nic _ -> {
                legend.put("nic", "network card");
                yield new PictureBox(node, "nic", title, details, DEVICE_PADDING, GAP, WIDEST_TEXT);
            }
            case TopologyNode.PcieBridge _ -> {
                legend.put("bridge", "PCIe bridge");
                String line = title
                        + details.stream()
                                .findFirst()
                                .map(address -> " " + address)
                                .orElse("");
                yield new PictureBox(node, "bridge", line, List.of(), BRIDGE_PADDING, GAP, WIDEST_TEXT);
            }
            case TopologyNode.Numa _ ->
                new PictureBox(
                        node,
                        "numa",
                        title
                                + details.stream()
                                        .findFirst()
                                        .map(memory -> ", " + memory)
                                        .orElse(""),
                        List.of(),
                        NUMA_PADDING,
                        GAP,
                        WIDEST_TITLE);
            case TopologyNode.Host _, TopologyNode.FabricSwitch _ ->
                new PictureBox(node, "host", title, details, NUMA_PADDING, GAP, WIDEST_TITLE);
        };
    }

    private boolean isCpu(TopologyNode node) {
        return node instanceof TopologyNode.Device device
                && words.find(device)
                        .filter(profile -> profile.accelerator().family() == AcceleratorFamily.CPU)
                        .isPresent();
    }

    private PictureBox deviceBox(TopologyNode.Device node, String title, List<String> details) {
        Optional<AcceleratorProfile> profile = words.find(node);
        AcceleratorFamily family =
                profile.map(known -> known.accelerator().family()).orElse(AcceleratorFamily.AI_ASIC);
        legend.put(family.text(), family.display());
        String style = family.text()
                + (profile.filter(AcceleratorProfile::available).isPresent() ? "" : " unavailable")
                + (profile.flatMap(DeviceField::findComplaint).isPresent() ? " unwell" : "");
        if (style.endsWith("unwell")) {
            legend.put("bar unwell", "not well");
        }
        List<String> lines = new ArrayList<>(details);
        Optional<Partition> partition = profile.flatMap(AcceleratorProfile::partition);
        partition.ifPresent(part -> lines.set(0, part.id()));
        if (family == AcceleratorFamily.CPU) {
            lines.clear();
            lines.add(cpuLine(profile.orElseThrow(), details));
        }
        linkToHost(node).ifPresent(lines::add);
        PictureBox box = new PictureBox(
                node,
                style,
                partition
                        .map(Partition::shape)
                        .filter(shape -> !shape.isEmpty())
                        .orElse(title),
                lines,
                DEVICE_PADDING,
                GAP,
                family == AcceleratorFamily.CPU ? WIDEST_TITLE : WIDEST_TEXT);
        profile.flatMap(TopologyPicture::usedShare).ifPresent(share -> {
            box.used = share;
            legend.put("used", "memory in use");
        });
        devices.put(node.id(), box);
        return box;
    }

    private static String cpuLine(AcceleratorProfile cpu, List<String> details) {
        String cores = cpu.reading(DeviceFact.COMPUTE_UNITS)
                .find()
                .map(count -> count + " cores, ")
                .orElse("");
        return cores + cpu.memory().find().map(Quantity::of).orElse(details.getFirst());
    }

    /// A fabric between processor and device, such as NVLink-C2C.
    private Optional<String> linkToHost(TopologyNode.Device node) {
        for (Link link : registry.topology().linksOf(node.id())) {
            TopologyNode other =
                    registry.topology().findNode(link.otherEnd(node.id())).orElseThrow();
            boolean host = other instanceof TopologyNode.Numa || other instanceof TopologyNode.Host;
            if (link.kind().isDeviceFabric() && host) {
                return Optional.of(Fabric.name(link.kind()) + " " + LinkText.of(link));
            }
        }
        return Optional.empty();
    }

    private static Optional<Double> usedShare(AcceleratorProfile device) {
        Optional<Bytes> total = device.memory().find().filter(memory -> !memory.isZero());
        Optional<Bytes> free = device.memoryFree().find();
        return total.isPresent() && free.isPresent()
                ? Optional.of(Math.clamp(1 - free.get().toDouble() / total.get().toDouble(), 0, 1))
                : Optional.empty();
    }

    private double legendWidth() {
        double width = 0;
        for (String meaning : legend.values()) {
            width += legendItem(meaning);
        }
        for (Fabric fabric : fabrics) {
            width += legendItem(Fabric.name(fabric.kind()));
        }
        return width;
    }

    /// Devices first, links last. The socket link comes once under each name, of which the first counts.
    private static int legendOrder(String style) {
        List<String> order = new ArrayList<>();
        for (AcceleratorFamily family : AcceleratorFamily.values()) {
            order.add(family.text());
        }
        order.addAll(List.of("nic", "bridge", "used", "bar unwell", "socket"));
        for (LinkKind kind : LinkKind.values()) {
            order.add(kind.text());
        }
        return order.indexOf(style);
    }

    private static double legendItem(String meaning) {
        return SWATCH + 6 + SvgText.width(meaning, SMALL_SIZE) + 18;
    }

    private void drawLegend(SvgCanvas canvas, double y) {
        fabrics.forEach(fabric -> legend.put(fabric.kind().text(), Fabric.name(fabric.kind())));
        double x = MARGIN;
        for (Map.Entry<String, String> item : legend.entrySet()) {
            boolean line = item.getKey().equals("socket")
                    || fabrics.stream().anyMatch(fabric -> fabric.kind().text().equals(item.getKey()));
            if (line) {
                canvas.path(
                        item.getKey(),
                        3,
                        "M" + SvgCanvas.number(x) + " " + SvgCanvas.number(y + SWATCH / 2) + "h" + (int) SWATCH);
            } else {
                canvas.box(item.getKey(), x, y, SWATCH, SWATCH, 2);
            }
            canvas.text("small", x + SWATCH + 6, y + SWATCH - 2, item.getValue());
            x += legendItem(item.getValue());
        }
    }
}
