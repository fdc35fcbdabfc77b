package dev.muster.core.json;

import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.MemoryDevice;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.RuntimeEnvironment.CloudInstance;
import dev.muster.core.RuntimeEnvironment.DeviceVariable;
import dev.muster.core.RuntimeEnvironment.GpuGrant;
import dev.muster.core.StorageDevice;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;

/// Writes what stands around the devices in Muster's own form.
final class SystemWriter {
    private final JsonWriter json;
    private final SourceTable sources;

    SystemWriter(JsonWriter json, SourceTable sources) {
        this.json = json;
        this.sources = sources;
    }

    void write(SystemIo io, FactSheet facts) {
        json.key("interconnects").beginArray();
        io.interconnects().forEach(this::write);
        json.endArray();
        json.key("storage").beginArray();
        io.storage().forEach(this::write);
        json.endArray();
        json.key("memoryDevices").beginArray();
        io.memoryDevices().forEach(this::write);
        json.endArray();
        facts.put("environment", io.environment(), this::write);
    }

    private void write(Interconnect item) {
        json.beginObject();
        json.key("kind").string(Names.INTERCONNECTS.text(item.kind()));
        json.key("name").string(item.name());
        new FactSheet(json, sources)
                .put("bandwidthBytesPerSecond", item.bandwidth(), this::write)
                .put("state", item.state(), json::string)
                .end();
        json.endObject();
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
                .end();
        json.endObject();
    }

    private void write(MemoryDevice item) {
        json.beginObject();
        json.key("kind").string(Names.MEMORY_DEVICES.text(item.kind()));
        json.key("name").string(item.name());
        new FactSheet(json, sources)
                .put("sizeBytes", item.size(), this::write)
                .put("numaNode", item.numaNode(), json::unsigned)
                .put("kernelDriver", item.kernelDriver(), json::string)
                .end();
        json.endObject();
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
        json.key("deviceVariables").beginArray();
        item.deviceVariables().forEach(this::write);
        json.endArray();
        new FactSheet(json, sources)
                .put("kubernetesNamespace", item.kubernetesNamespace(), json::string)
                .put("cloud", item.cloudInstance(), this::write)
                .put("gpuGrant", item.kubernetesGpu(), this::write)
                .put("container", item.container(), json::string)
                .put("memoryLimitBytes", item.memoryLimit(), this::write)
                .put("cpuLimit", item.cpuLimit(), json::number)
                .put("slurmJob", item.slurmJob(), json::string)
                .put("slurmGpus", item.slurmGpus(), json::string)
                .end();
        json.endObject();
    }

    private void write(DeviceVariable item) {
        json.beginObject();
        json.key("name").string(item.name());
        json.key("value").string(item.value());
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
                .end();
        json.endObject();
    }

    private void write(GpuGrant item) {
        json.beginObject();
        json.key("deviceIds").beginArray();
        item.deviceIds().forEach(json::string);
        json.endArray();
        json.key("gpuCount").unsigned(item.gpuCount());
        json.key("source").string(item.source());
        json.endObject();
    }

    void write(TopologyGraph topology) {
        json.beginObject();
        json.key("nodes").beginArray();
        topology.nodes().forEach(this::write);
        json.endArray();
        json.key("links").beginArray();
        topology.links().forEach(this::write);
        json.endArray();
        json.endObject();
    }

    private void write(TopologyNode node) {
        json.beginObject();
        json.key("id").string(node.id().text());
        // Not a switch: one over types makes classes at start-up (docs/decisions/0004).
        if (node instanceof TopologyNode.Host host) {
            node("host", "name", host.name());
        } else if (node instanceof TopologyNode.Device device) {
            node("device", "device", device.device().text());
        } else if (node instanceof TopologyNode.Nic nic) {
            node("nic", "name", nic.name());
        } else if (node instanceof TopologyNode.FabricSwitch fabric) {
            node("fabric-switch", "name", fabric.name());
        } else if (node instanceof TopologyNode.Numa numa) {
            json.key("kind").string("numa");
            json.key("number").unsigned(numa.number());
            new FactSheet(json, sources)
                    .put("memoryTotalBytes", numa.memory(), this::write)
                    .end();
        } else if (node instanceof TopologyNode.PcieBridge bridge) {
            json.key("kind").string("pcie-bridge");
            json.key("root").bool(bridge.root());
            new FactSheet(json, sources)
                    .put("pciAddress", bridge.address(), address -> json.string(address.toString()))
                    .end();
        }
        json.endObject();
    }

    private void node(String kind, String key, String value) {
        json.key("kind").string(kind);
        json.key(key).string(value);
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
                .end();
        json.endObject();
    }
}
