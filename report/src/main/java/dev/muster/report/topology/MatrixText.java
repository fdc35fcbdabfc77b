// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.topology;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.Relation;
import dev.muster.core.Relation.Proximity;
import dev.muster.core.TopologyNode;
import dev.muster.core.TopologySummary;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import dev.muster.report.text.TextTable.Cell;
import dev.muster.report.topology.TopologyTree.Branch;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// The links between accelerators and network cards as a matrix, with the words of `nvidia-smi topo`.
public final class MatrixText {
    private static final int GAP = 2;
    /// NUMA and PCI columns.
    private static final int EXTRA_WIDTH = GAP + "NUMA".length() + GAP + "0000:00:00.0".length();

    private final AcceleratorRegistry registry;
    private final NodeText texts;
    private final List<TopologyNode> items;
    private final Map<NodeId, Long> numaNodes = new HashMap<>();
    private final List<List<String>> words = new ArrayList<>();
    private final List<String> legend = new ArrayList<>();

    MatrixText(AcceleratorRegistry registry) {
        this.registry = registry;
        this.texts = new NodeText(registry);
        this.items = items(registry);
        for (Branch root : TopologyTree.of(registry, texts)) {
            for (Branch branch : root.children()) {
                if (branch.node() instanceof TopologyNode.NumaNode numa) {
                    place(branch, numa.number());
                }
            }
        }
    }

    private void place(Branch branch, long numa) {
        numaNodes.putIfAbsent(branch.node().id(), numa);
        branch.children().forEach(child -> place(child, numa));
    }

    private static String meaning(Proximity proximity) {
        return switch (proximity) {
            case SELF -> "itself";
            case FABRIC -> "a fabric";
            case SINGLE_SWITCH -> "one PCIe switch";
            case SWITCHES -> "several PCIe switches";
            case HOST_BRIDGE -> "the host's PCIe root";
            case NUMA_NODE -> "the same NUMA node";
            case SYSTEM -> "the link between NUMA nodes";
            case NETWORK -> "a network between hosts";
            case UNKNOWN -> "not known";
        };
    }

    /// Returns the matrix for terminals; a summary if it would be too large to read.
    public static String of(AcceleratorRegistry registry, Terminal terminal) {
        MatrixText matrix = new MatrixText(registry);
        if (matrix.items.isEmpty()) {
            return "No accelerator or network card found.\n";
        }
        if (matrix.isTooLarge()) {
            return SummaryText.of(registry, terminal);
        }
        matrix.relate();
        return matrix.render(terminal);
    }

    /// Returns the matrix as JSON, or the summary.
    public static JsonValue json(AcceleratorRegistry registry) {
        MatrixText matrix = new MatrixText(registry);
        JsonObject.ObjectBuilder document = JsonObject.document("topology");
        return matrix.isTooLarge()
                ? SummaryText.addTo(document, registry).build()
                : matrix.addTo(document).build();
    }

    /// The accelerators and network cards, with their relations unless there are too many.
    JsonObject.ObjectBuilder addTo(JsonObject.ObjectBuilder document) {
        document.put("nodes", items, this::json);
        if (isTooLarge()) {
            return document;
        }
        relate();
        return document.put(
                "relations",
                words,
                row -> new JsonArray(
                        row.stream().<JsonValue>map(JsonString::new).toList()));
    }

    private boolean isTooLarge() {
        return items.size() > TopologySummary.MOST_RELATED;
    }

    private JsonValue json(TopologyNode item) {
        return JsonObject.builder()
                .put("id", NodeText.label(item))
                .put("kind", item instanceof TopologyNode.Nic ? "nic" : "device")
                .put("numaNode", numa(item), JsonNumber::of)
                .put("pciAddress", texts.address(item), address -> new JsonString(address.toString()))
                .build();
    }

    /// Returns accelerators first, then network cards; a partition is at its parent's place, and a CPU is everywhere.
    static List<TopologyNode> items(AcceleratorRegistry registry) {
        List<TopologyNode> nodes = registry.topology().nodes();
        Map<DeviceId, TopologyNode> devices = new HashMap<>();
        for (TopologyNode node : nodes) {
            if (node instanceof TopologyNode.DeviceNode device) {
                devices.putIfAbsent(device.device(), node);
            }
        }
        List<TopologyNode> items = new ArrayList<>();
        for (AcceleratorProfile profile : registry.profiles()) {
            boolean whole = profile.partition().isEmpty();
            if (whole && profile.accelerator().family() != AcceleratorFamily.CPU) {
                items.add(devices.getOrDefault(profile.id(), TopologyNode.DeviceNode.of(profile.id())));
            }
        }
        nodes.stream().filter(TopologyNode.Nic.class::isInstance).forEach(items::add);
        return items;
    }

    private void relate() {
        Set<Proximity> met = EnumSet.noneOf(Proximity.class);
        List<String> fabrics = new ArrayList<>();
        List<List<Relation>> relations = registry.topology()
                .relations(items.stream().map(TopologyNode::id).toList());
        for (int i = 0; i < items.size(); i++) {
            List<String> row = new ArrayList<>();
            for (int j = 0; j < items.size(); j++) {
                row.add(j < i ? words.get(j).get(i) : meet(relations.get(i).get(j), met, fabrics));
            }
            words.add(row);
        }
        met.forEach(proximity -> {
            legend.add(proximity.word() + " " + meaning(proximity));
            if (proximity == Proximity.SELF) {
                legend.addAll(fabrics);
            }
        });
    }

    private static String meet(Relation relation, Set<Proximity> met, List<String> fabrics) {
        LinkKind kind = relation.fabric();
        if (kind == null) {
            met.add(relation.proximity());
            return relation.word();
        }
        String meaning = kind.word() + "# that many links of " + Fabric.name(kind);
        if (!fabrics.contains(meaning)) {
            fabrics.add(meaning);
        }
        return relation.word();
    }

    private Optional<Long> numa(TopologyNode item) {
        if (item instanceof TopologyNode.DeviceNode device) {
            Optional<Long> known = texts.find(device)
                    .flatMap(profile -> profile.reading(DeviceFact.NUMA_NODE).find());
            if (known.isPresent()) {
                return known;
            }
        }
        return Optional.ofNullable(numaNodes.get(item.id()));
    }

    /// Returns one table, or several below each other if one would be too wide: nothing is left out.
    private String render(Terminal terminal) {
        StringBuilder out = new StringBuilder();
        int labels = items.stream()
                .mapToInt(item -> NodeText.label(item).length())
                .max()
                .orElse(0);
        int room = Math.max(0, terminal.width() - labels);
        for (int first = 0; first < items.size(); ) {
            int left = room - width(first);
            int next = first + 1;
            while (next < items.size() && width(next) <= left) {
                left -= width(next++);
            }
            boolean last = next == items.size();
            boolean extras = last && left >= EXTRA_WIDTH;
            out.append(first == 0 ? "" : "\n").append(table(first, next, extras, terminal));
            if (last && !extras) {
                out.append('\n').append(table(next, next, true, terminal));
            }
            first = next;
        }
        out.append('\n');
        terminal.wrap(out, "", 2, terminal.plain(String.join(", ", legend) + "."));
        return out.toString();
    }

    private int width(int column) {
        int widest = NodeText.label(items.get(column)).length();
        for (List<String> row : words) {
            widest = Math.max(widest, row.get(column).length());
        }
        return widest + GAP;
    }

    private String table(int first, int next, boolean extras, Terminal terminal) {
        Table<Integer> table = new Table<Integer>(terminal).left("", i -> NodeText.label(items.get(i)));
        for (int i = first; i < next; i++) {
            int column = i;
            table.left(NodeText.label(items.get(column)), row -> {
                String word = words.get(row).get(column);
                return new Cell(word, word.equals("X"));
            });
        }
        if (extras) {
            table.right("NUMA", i -> cell(numa(items.get(i)), terminal));
            table.left("PCI", i -> cell(texts.address(items.get(i)), terminal));
        }
        return table.render(IntStream.range(0, items.size()).boxed().toList());
    }

    private static Cell cell(Optional<?> value, Terminal terminal) {
        return value.map(known -> new Cell(Quantity.of(known), false))
                .orElseGet(() -> new Cell(terminal.unknown(), true));
    }
}
