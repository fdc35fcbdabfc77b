// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.MemoryDevice;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.RuntimeEnvironment.CloudInstance;
import dev.muster.core.RuntimeEnvironment.GpuGrant;
import dev.muster.core.StorageDevice;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import java.util.Map;

/// Writes what stands around the devices in Muster's own form: the system, its topology, gaps.
record SystemWriter(JsonWriter json, Map<Provenance, Integer> sources) {
    void write(SystemIo io, FactSheet facts) {
        json.array("interconnects", io.interconnects(), this::write);
        json.array("storage", io.storage(), this::write);
        json.array("memoryDevices", io.memoryDevices(), this::write);
        facts.put("environment", io.environment(), this::write);
    }

    private void write(Interconnect item) {
        json.beginObject();
        json.key("kind").string(Names.INTERCONNECTS.text(item.kind()));
        json.key("name").string(item.name());
        new FactSheet(json, sources)
                .put("bandwidthBytesPerSecond", item.bandwidth(), this::write)
                .put("state", item.state(), json::string)
                .endObject();
    }

    private void write(StorageDevice item) {
        json.beginObject();
        json.key("kind").string(Names.STORAGE.text(item.kind()));
        json.key("name").string(item.name());
        new FactSheet(json, sources)
                .put("bandwidthBytesPerSecond", item.bandwidth(), this::write)
                .put("model", item.model(), json::string)
                .put("sizeBytes", item.size(), this::write)
                .put("state", item.state(), json::string)
                .endObject();
    }

    private void write(MemoryDevice item) {
        json.beginObject();
        json.key("kind").string(Names.MEMORY_DEVICES.text(item.kind()));
        json.key("name").string(item.name());
        new FactSheet(json, sources)
                .put("sizeBytes", item.size(), this::write)
                .put("numaNode", item.numaNode(), json::unsigned)
                .put("kernelDriver", item.kernelDriver(), json::string)
                .endObject();
    }

    private void write(Bandwidth value) {
        json.numberText(BandwidthText.of(value));
    }

    private void write(Bytes value) {
        json.unsigned(value.unsigned());
    }

    private void write(RuntimeEnvironment item) {
        json.beginObject();
        json.key("docker").bool(item.docker());
        json.key("kubernetes").bool(item.kubernetes());
        json.array("deviceVariables", item.deviceVariables().entrySet(), this::write);
        new FactSheet(json, sources)
                .put("kubernetesNamespace", item.kubernetesNamespace(), json::string)
                .put("cloud", item.cloudInstance(), this::write)
                .put("gpuGrant", item.kubernetesGpu(), this::write)
                .put("container", item.container(), json::string)
                .put("memoryLimitBytes", item.memoryLimit(), this::write)
                .put("cpuLimit", item.cpuLimit(), json::number)
                .put("slurmJob", item.slurmJob(), json::string)
                .put("slurmGpus", item.slurmGpus(), json::string)
                .endObject();
    }

    private void write(Map.Entry<String, String> item) {
        json.beginObject();
        json.key("name").string(item.getKey());
        json.key("value").string(item.getValue());
        json.endObject();
    }

    private void write(CloudInstance item) {
        json.beginObject();
        json.key("provider").string(item.provider());
        new FactSheet(json, sources)
                .put("instanceType", item.instanceType(), json::string)
                .put("instanceId", item.instanceId(), json::string)
                .put("region", item.region(), json::string)
                .put("zone", item.zone(), json::string)
                .endObject();
    }

    private void write(GpuGrant item) {
        json.beginObject();
        json.array("deviceIds", item.deviceIds(), json::string);
        json.key("gpuCount").unsigned(item.gpuCount());
        json.key("source").string(item.source());
        json.endObject();
    }

    void write(TopologyGraph topology) {
        json.beginObject();
        json.array("nodes", topology.nodes(), this::write);
        json.array("links", topology.links(), this::write);
        json.endObject();
    }

    private void write(TopologyNode node) {
        json.beginObject();
        json.key("id").string(node.id().text());
        FactSheet facts = new FactSheet(json, sources);

        if (node instanceof TopologyNode.HostNode host) {
            kind("host", "name", host.name());
        } else if (node instanceof TopologyNode.DeviceNode device) {
            kind("device", "device", device.device().text());
        } else if (node instanceof TopologyNode.Nic nic) {
            kind("nic", "name", nic.name());
        } else if (node instanceof TopologyNode.FabricSwitch fabric) {
            kind("fabric-switch", "name", fabric.name());
        } else if (node instanceof TopologyNode.NumaNode numa) {
            json.key("kind").string("numa");
            json.key("number").unsigned(numa.number());
            facts.put("memoryTotalBytes", numa.memory(), this::write);
        } else if (node instanceof TopologyNode.PcieBridge bridge) {
            json.key("kind").string("pcie-bridge");
            json.key("root").bool(bridge.root());
            facts.put("pciAddress", bridge.address(), address -> json.string(address.toString()));
        }
        facts.endObject();
    }

    private void kind(String kind, String key, String value) {
        json.key("kind").string(kind);
        json.key(key).string(value);
    }

    void write(Gap gap) {
        json.beginObject();
        FactSheet facts = new FactSheet(json, sources);
        switch (gap) {
            case Gap.ToolNotFound(String tool) -> kind("tool-not-found", "tool", tool);
            case Gap.ToolFailed(String tool, Reading<Integer> exitCode, String stderr) -> {
                kind("tool-failed", "tool", tool);
                json.key("stderr").string(stderr);
                facts.put("exitCode", exitCode, code -> json.signed(code));
            }
            case Gap.Timeout(String tool, double seconds) -> {
                kind("timed-out", "tool", tool);
                json.key("limitSeconds").number(seconds);
            }
            case Gap.Unparsable(String probe, String message) -> gap("unparsable", "backend", probe, message);
            case Gap.FileUnreadable(String path, String message) -> gap("file-unreadable", "path", path, message);
            case Gap.ProbeFailed(String probe, String message) -> gap("probe-failed", "probe", probe, message);
            case Gap.Conflict(String device, String message) -> gap("conflict", "device", device, message);
            case Gap.Unexplained(String source) -> kind("unexplained", "source", source);
        }
        facts.endObject();
    }

    private void gap(String kind, String key, String value, String message) {
        kind(kind, key, value);
        json.key("message").string(message);
    }

    private void write(Link link) {
        json.beginObject();
        json.key("from").string(link.from().text());
        json.key("to").string(link.to().text());
        json.key("kind").string(link.kind().text());
        json.key("lanes").unsigned(link.lanes());
        new FactSheet(json, sources)
                .put("bandwidthBytesPerSecond", link.bandwidth(), this::write)
                .put("state", link.state(), state -> json.string(state.text()))
                .endObject();
    }
}
