package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.Code.WRONG_VALUE;

import dev.muster.core.DeviceId;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads a topology in Muster's own form.
final class TopologyReader {
    private static final JsonKeys TOPOLOGY = JsonKeys.of("nodes", "links");
    private static final JsonKeys NODE = JsonKeys.of(
            "id",
            "kind",
            "name",
            "device",
            "number",
            "root",
            "memoryTotalBytes",
            "pciAddress",
            "provenance",
            "unknown");
    private static final JsonKeys NODE_KINDS =
            JsonKeys.of("host", "numa", "pcie-bridge", "fabric-switch", "device", "nic");
    private static final JsonKeys LINK =
            JsonKeys.of("from", "to", "kind", "lanes", "bandwidthBytesPerSecond", "state", "provenance", "unknown");

    private final JsonReader json;
    private final List<Provenance> sources;

    TopologyReader(JsonReader json, List<Provenance> sources) {
        this.json = json;
        this.sources = sources;
    }

    /// @throws IllegalArgumentException if nodes and links do not fit together
    TopologyGraph read() {
        JsonStruct struct = JsonStruct.lenient(json, TOPOLOGY);
        List<TopologyNode> nodes = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            json.beginArray();
            while (json.nextItem()) {
                if (field == 0) {
                    nodes.add(readNode());
                } else {
                    links.add(readLink());
                }
            }
        }
        return TopologyGraph.of(nodes, links);
    }

    private TopologyNode readNode() {
        JsonStruct struct = JsonStruct.lenient(json, NODE);
        FactReader facts = new FactReader(json, sources);
        String id = "";
        int kind = 0;
        String name = "";
        String device = "";
        long number = 0;
        boolean root = false;
        @Nullable Bytes memory = null;
        @Nullable PciAddress address = null;
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> id = json.nextString();
                case 1 -> kind = json.nextName(NODE_KINDS);
                case 2 -> name = json.nextString();
                case 3 -> device = json.nextString();
                case 4 -> number = json.nextUnsigned(Long.MAX_VALUE);
                case 5 -> root = json.nextBoolean();
                case 6 -> memory = new Bytes(json.nextUnsigned());
                case 7 -> address = DeviceReader.readPciAddress(json);
                case 8 -> facts.readProvenance();
                case 9 -> facts.readUnknown();
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b11);
        NodeId nodeId = new NodeId(id);
        return switch (kind) {
            case 0 -> new TopologyNode.Host(nodeId, name);
            case 1 -> new TopologyNode.Numa(nodeId, number, facts.reading("memoryTotalBytes", memory));
            case 2 -> new TopologyNode.PcieBridge(nodeId, facts.reading("pciAddress", address), root);
            case 3 -> new TopologyNode.FabricSwitch(nodeId, name);
            case 4 -> new TopologyNode.Device(nodeId, new DeviceId(device));
            case 5 -> new TopologyNode.Nic(nodeId, name);
            default -> throw new AssertionError(kind);
        };
    }

    private Link readLink() {
        JsonStruct struct = JsonStruct.lenient(json, LINK);
        FactReader facts = new FactReader(json, sources);
        String from = "";
        String to = "";
        LinkKind kind = LinkKind.INTERNAL;
        long lanes = 1;
        @Nullable Bandwidth bandwidth = null;
        Link.@Nullable State state = null;
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> from = json.nextString();
                case 1 -> to = json.nextString();
                case 2 -> kind = Names.LINKS.read(json);
                case 3 -> lanes = json.nextUnsigned(Integer.MAX_VALUE);
                case 4 -> bandwidth = BandwidthText.read(json);
                case 5 -> state = Names.LINK_STATES.read(json);
                case 6 -> facts.readProvenance();
                case 7 -> facts.readUnknown();
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b111);
        if (lanes < 1) {
            throw json.error(WRONG_VALUE, "a link has at least one lane");
        }
        return new Link(
                new NodeId(from),
                new NodeId(to),
                kind,
                (int) lanes,
                facts.reading("bandwidthBytesPerSecond", bandwidth),
                facts.reading("state", state));
    }
}
