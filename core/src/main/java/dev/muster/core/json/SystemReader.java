// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import dev.muster.core.DeviceId;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.MemoryDevice;
import dev.muster.core.NodeId;
import dev.muster.core.Provenance;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.RuntimeEnvironment.CloudInstance;
import dev.muster.core.RuntimeEnvironment.GpuGrant;
import dev.muster.core.StorageDevice;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads what stands around the devices in Muster's own form: the system, its topology, gaps.
record SystemReader(JsonReader json, List<Provenance> sources) {
    private static final JsonKeys GAP_KINDS = JsonKeys.of(
            "tool-not-found",
            "tool-failed",
            "timed-out",
            "unparsable",
            "file-unreadable",
            "unexplained",
            "probe-failed",
            "conflict");
    private static final JsonKeys NODE_KINDS =
            JsonKeys.of("host", "numa", "pcie-bridge", "fabric-switch", "device", "nic");

    private OwnFieldReader fields() {
        return new OwnFieldReader(json, sources);
    }

    SystemIo readSystemIo(OwnFieldReader root) {
        return new SystemIo(
                root.list("interconnects", this::readInterconnect),
                root.list("storage", this::readStorage),
                root.list("memoryDevices", this::readMemoryDevice),
                root.reading("environment", this::readEnvironment));
    }

    private Interconnect readInterconnect() {
        OwnFieldReader item = fields();
        return new Interconnect(
                item.name("kind", Names.INTERCONNECTS),
                item.text("name"),
                item.bandwidthReading(),
                item.textReading("state"));
    }

    private StorageDevice readStorage() {
        OwnFieldReader item = fields();
        return new StorageDevice(
                item.text("name"),
                item.name("kind", Names.STORAGE),
                item.bandwidthReading(),
                item.textReading("model"),
                item.bytesReading("sizeBytes"),
                item.textReading("state"));
    }

    private MemoryDevice readMemoryDevice() {
        OwnFieldReader item = fields();
        return new MemoryDevice(
                item.name("kind", Names.MEMORY_DEVICES),
                item.text("name"),
                item.bytesReading("sizeBytes"),
                item.reading("numaNode", () -> json.nextUnsigned(Long.MAX_VALUE)),
                item.textReading("kernelDriver"));
    }

    private RuntimeEnvironment readEnvironment() {
        OwnFieldReader item = fields();
        return new RuntimeEnvironment(
                item.truth("docker"),
                item.truth("kubernetes"),
                item.textReading("kubernetesNamespace"),
                item.reading("cloud", this::readCloud),
                item.reading("gpuGrant", this::readGrant),
                item.textReading("container"),
                item.bytesReading("memoryLimitBytes"),
                item.reading("cpuLimit", json::nextDouble),
                item.textReading("slurmJob"),
                item.textReading("slurmGpus"),
                variables(item.list("deviceVariables", this::readVariable)));
    }

    private Map.Entry<String, String> readVariable() {
        OwnFieldReader item = fields();
        return Map.entry(item.text("name"), item.text("value"));
    }

    private static Map<String, String> variables(List<Map.Entry<String, String>> read) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (Map.Entry<String, String> one : read) {
            variables.put(one.getKey(), one.getValue());
        }
        return variables;
    }

    private CloudInstance readCloud() {
        OwnFieldReader item = fields();
        return new CloudInstance(
                item.text("provider"),
                item.textReading("instanceType"),
                item.textReading("instanceId"),
                item.textReading("region"),
                item.textReading("zone"));
    }

    private GpuGrant readGrant() {
        OwnFieldReader item = fields();
        return new GpuGrant(
                item.at("deviceIds", () -> json.nextList(json::nextString)),
                item.count("gpuCount", Long.MAX_VALUE),
                item.text("source"));
    }

    Gap readGap() {
        OwnFieldReader gap = fields();
        String kind = gap.name("kind", GAP_KINDS);
        return switch (kind) {
            case "tool-not-found" -> new Gap.ToolNotFound(gap.text("tool", ""));
            case "tool-failed" ->
                new Gap.ToolFailed(
                        gap.text("tool", ""), gap.reading("exitCode", json::nextInt), gap.text("stderr", ""));
            case "timed-out" -> new Gap.Timeout(gap.text("tool", ""), gap.at("limitSeconds", json::nextDouble, 0.0));
            case "unparsable" -> new Gap.Unparsable(gap.text("backend", ""), gap.text("message", ""));
            case "file-unreadable" -> new Gap.FileUnreadable(gap.text("path", ""), gap.text("message", ""));
            case "unexplained" -> new Gap.Unexplained(gap.text("source", ""));
            case "probe-failed" -> new Gap.ProbeFailed(gap.text("probe", ""), gap.text("message", ""));
            case "conflict" -> new Gap.Conflict(gap.text("device", ""), gap.text("message", ""));
            default -> throw new AssertionError(kind);
        };
    }

    TopologyGraph readTopology() {
        OwnFieldReader topology = fields();
        return TopologyGraph.of(topology.list("nodes", this::readNode), topology.list("links", this::readLink));
    }

    private TopologyNode readNode() {
        OwnFieldReader node = fields();
        NodeId id = new NodeId(node.text("id"));
        String kind = node.name("kind", NODE_KINDS);
        return switch (kind) {
            case "host" -> new TopologyNode.HostNode(id, node.text("name", ""));
            case "numa" ->
                new TopologyNode.NumaNode(
                        id, node.count("number", Long.MAX_VALUE, 0), node.bytesReading("memoryTotalBytes"));
            case "pcie-bridge" ->
                new TopologyNode.PcieBridge(id, node.addressReading(), node.at("root", json::nextBoolean, false));
            case "fabric-switch" -> new TopologyNode.FabricSwitch(id, node.text("name", ""));
            case "device" -> new TopologyNode.DeviceNode(id, new DeviceId(node.text("device", "")));
            case "nic" -> new TopologyNode.Nic(id, node.text("name", ""));
            default -> throw new AssertionError(kind);
        };
    }

    private Link readLink() {
        OwnFieldReader link = fields();
        return new Link(
                new NodeId(link.text("from")),
                new NodeId(link.text("to")),
                link.name("kind", Names.LINKS),
                (int) link.count("lanes", Integer.MAX_VALUE, 1),
                link.bandwidthReading(),
                link.reading("state", () -> Names.LINK_STATES.read(json)));
    }
}
