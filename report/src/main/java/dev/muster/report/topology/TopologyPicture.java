// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.topology;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceUsability;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.Partition;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bytes;
import dev.muster.report.text.Font;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.SvgCanvas;
import dev.muster.report.topology.TopologyTree.Branch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Machines as a picture: boxes in boxes for hosts, NUMA nodes, bridges and devices, with the fabrics that join the
/// devices drawn below them, and the networks that join the hosts below those.
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
    private static final double LEGEND = 30;
    private static final double SWATCH = 12;

    private final AcceleratorRegistry registry;
    private final NodeText words;
    private final List<Fabric> fabrics;
    private final Map<NodeId, PictureBox> boxes = new HashMap<>();
    /// The styles in use, for the legend.
    private final Set<String> usedStyles = new HashSet<>();

    private TopologyPicture(AcceleratorRegistry registry) {
        this.registry = registry;
        this.words = new NodeText(registry);
        this.fabrics = Fabric.of(registry.topology());
    }

    /// Returns the picture of a registry's machines, as SVG.
    public static String of(AcceleratorRegistry registry) {
        return new TopologyPicture(registry).draw();
    }

    private String draw() {
        List<PictureBox> hosts = new ArrayList<>();
        for (Branch root : TopologyTree.of(registry, words)) {
            PictureBox host = hostBox(root);
            host.measure();
            numas(host).forEach(box -> box.stretch(highest(host.lower)));
            hosts.add(host);
        }
        double x = MARGIN;
        for (PictureBox host : hosts) {
            host.place(x, MARGIN);
            x += host.width + MARGIN;
        }
        double highest = highest(hosts);
        FabricLanes lanes = new FabricLanes(fabrics, boxes);
        hosts.forEach(host -> host.height = highest + lanes.height());
        List<NetworkLane> networks = hosts.size() > 1 ? NetworkLane.of(registry.topology()) : List.of();
        fabrics.forEach(fabric -> usedStyles.add(fabric.kind().text()));
        networks.forEach(network -> usedStyles.add(network.kind().text()));
        hosts.forEach(host -> neighbours(host).forEach(_ -> usedStyles.add(LinkKind.SOCKET.text())));

        double bottom = MARGIN + highest + lanes.height() + networks.size() * NetworkLane.HEIGHT;
        double width = Math.max(legendWidth() + 2 * MARGIN, x);
        String title = hosts.size() == 1 ? hosts.getFirst().name : hosts.size() + " hosts";
        SvgCanvas canvas = new SvgCanvas(
                width, bottom + LEGEND + MARGIN, "Topology of " + title, TopologyStyle.LIGHT, TopologyStyle.DARK);
        for (int i = 0; i < networks.size(); i++) {
            double y = MARGIN + highest + lanes.height() + i * NetworkLane.HEIGHT;
            networks.get(i).draw(canvas, hosts, boxes, y, i);
        }
        hosts.forEach(host -> drawHost(host, canvas));
        lanes.draw(canvas, MARGIN + highest - HOST_PADDING);
        drawLegend(canvas, bottom + LEGEND - SWATCH / 2);
        return canvas.finish();
    }

    private static double highest(List<PictureBox> boxes) {
        return boxes.stream().mapToDouble(box -> box.height).max().orElse(0);
    }

    private static List<PictureBox> numas(PictureBox host) {
        return host.lower.stream()
                .filter(box -> box.node instanceof TopologyNode.NumaNode)
                .toList();
    }

    private void drawHost(PictureBox host, SvgCanvas canvas) {
        canvas.box(host.style, host.x, host.y, host.width, host.height, 10);
        canvas.text("title", host.x + HOST_PADDING, host.y + HOST_PADDING + PictureBox.LINE - 3, host.name);
        for (PictureBox left : neighbours(host)) {
            double y = left.y + left.height / 2;
            canvas.line("socket", 4, left.x + left.width, y, left.x + left.width + NUMA_GAP, y);
        }
        host.upper.forEach(box -> box.draw(canvas));
        host.lower.forEach(box -> box.draw(canvas));
    }

    /// Returns NUMA nodes that are linked with the next one; other links would cross boxes and are left to the
    /// matrix.
    private List<PictureBox> neighbours(PictureBox host) {
        List<PictureBox> numas = numas(host);
        List<PictureBox> linked = new ArrayList<>();
        for (int i = 0; i + 1 < numas.size(); i++) {
            NodeId left = numas.get(i).node.id();
            NodeId right = numas.get(i + 1).node.id();
            if (registry.topology().links().stream()
                    .anyMatch(link -> link.kind() == LinkKind.SOCKET && link.touches(left) && link.touches(right))) {
                linked.add(numas.get(i));
            }
        }
        return linked;
    }

    private PictureBox hostBox(Branch root) {
        PictureBox box = new PictureBox(
                root.node(), "host", words.title(root.node()), List.of(), HOST_PADDING, NUMA_GAP, WIDEST_TITLE);
        root.children().forEach(child -> addTo(box, child));
        return box;
    }

    private void addTo(PictureBox parent, Branch branch) {
        PictureBox box = box(branch);
        boxes.put(branch.node().id(), box);
        usedStyles.add(box.style.replaceFirst(" .*", ""));
        boolean small = branch.node() instanceof TopologyNode.Nic || isCpu(branch.node());
        (small ? parent.upper : parent.lower).add(box);
        branch.children().forEach(child -> addTo(box, child));
    }

    private PictureBox box(Branch branch) {
        TopologyNode node = branch.node();
        String title = words.title(node);
        List<String> details = words.details(node);
        return switch (node) {
            case TopologyNode.DeviceNode device -> deviceBox(device, title, details);
            case TopologyNode.Nic _ -> new PictureBox(node, "nic", title, details, DEVICE_PADDING, GAP, WIDEST_TEXT);
            case TopologyNode.PcieBridge _ ->
                new PictureBox(
                        node, "bridge", withFirst(title, " ", details), List.of(), BRIDGE_PADDING, GAP, WIDEST_TEXT);
            case TopologyNode.NumaNode _ ->
                new PictureBox(
                        node, "numa", withFirst(title, ", ", details), List.of(), NUMA_PADDING, GAP, WIDEST_TITLE);
            case TopologyNode.HostNode _, TopologyNode.FabricSwitch _ ->
                new PictureBox(node, "host", title, details, NUMA_PADDING, GAP, WIDEST_TITLE);
        };
    }

    private static String withFirst(String title, String joint, List<String> details) {
        return details.isEmpty() ? title : title + joint + details.getFirst();
    }

    private boolean isCpu(TopologyNode node) {
        return node instanceof TopologyNode.DeviceNode device
                && words.find(device)
                        .filter(profile -> profile.accelerator().family() == AcceleratorFamily.CPU)
                        .isPresent();
    }

    private PictureBox deviceBox(TopologyNode.DeviceNode node, String title, List<String> details) {
        Optional<AcceleratorProfile> profile = words.find(node);
        AcceleratorFamily family =
                profile.map(known -> known.accelerator().family()).orElse(AcceleratorFamily.AI_ASIC);
        String style = family.text()
                + (profile.filter(AcceleratorProfile::available).isPresent() ? "" : " unavailable")
                + (profile.flatMap(device -> DeviceUsability.of(device).find(DeviceUsability.Obstacle.UNHEALTHY))
                                .isPresent()
                        ? " unhealthy"
                        : "");
        if (style.endsWith("unhealthy")) {
            usedStyles.add("bar unhealthy");
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
            usedStyles.add("used");
        });
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
    private Optional<String> linkToHost(TopologyNode.DeviceNode node) {
        for (Link link : registry.topology().linksOf(node.id())) {
            TopologyNode other =
                    registry.topology().findNode(link.otherEnd(node.id())).orElseThrow();
            boolean host = other instanceof TopologyNode.NumaNode || other instanceof TopologyNode.HostNode;
            if (link.kind().isDeviceFabric() && host) {
                return Optional.of(Fabric.name(link.kind()) + " " + Fabric.describe(link));
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

    /// Returns style and meaning of what is drawn: devices first, links last.
    private Map<String, String> legend() {
        Map<String, String> all = new LinkedHashMap<>();
        for (AcceleratorFamily family : AcceleratorFamily.values()) {
            all.put(family.text(), family.display());
        }
        all.put("nic", "network card");
        all.put("bridge", "PCIe bridge");
        all.put("used", "memory in use");
        all.put("bar unhealthy", "unhealthy");
        for (LinkKind kind : LinkKind.values()) {
            all.put(kind.text(), Fabric.name(kind));
        }
        all.keySet().retainAll(usedStyles);
        return all;
    }

    private double legendWidth() {
        return legend().values().stream()
                .mapToDouble(TopologyPicture::legendItem)
                .sum();
    }

    private static double legendItem(String meaning) {
        return SWATCH + 6 + Font.SMALL.width(meaning) + 18;
    }

    private void drawLegend(SvgCanvas canvas, double y) {
        double x = MARGIN;
        for (Map.Entry<String, String> item : legend().entrySet()) {
            boolean line =
                    Stream.of(LinkKind.values()).anyMatch(kind -> kind.text().equals(item.getKey()));
            if (line) {
                canvas.line(item.getKey(), 3, x, y + SWATCH / 2, x + SWATCH, y + SWATCH / 2);
            } else {
                canvas.box(item.getKey(), x, y, SWATCH, SWATCH, 2);
            }
            canvas.text("small", x + SWATCH + 6, y + SWATCH - 2, item.getValue());
            x += legendItem(item.getValue());
        }
    }
}
