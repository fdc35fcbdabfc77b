package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.Code.WRONG_VALUE;

import dev.muster.core.Interconnect;
import dev.muster.core.InterconnectKind;
import dev.muster.core.Provenance;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.RuntimeEnvironment.CloudInstance;
import dev.muster.core.RuntimeEnvironment.DeviceVariable;
import dev.muster.core.RuntimeEnvironment.GpuGrant;
import dev.muster.core.StorageDevice;
import dev.muster.core.TopologyGraph;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads what stands around the devices in Muster's own form.
final class SystemReader {
    private static final JsonKeys INTERCONNECT =
            JsonKeys.of("kind", "name", "bandwidthBytesPerSecond", "state", "provenance", "unknown");
    private static final JsonKeys STORAGE = JsonKeys.of(
            "kind", "name", "bandwidthBytesPerSecond", "model", "sizeBytes", "provenance", "unknown", "state");
    private static final JsonKeys ENVIRONMENT = JsonKeys.of(
            "docker",
            "kubernetes",
            "deviceVariables",
            "kubernetesNamespace",
            "cloud",
            "gpuGrant",
            "container",
            "memoryLimitBytes",
            "cpuLimit",
            "slurmJob",
            "slurmGpus",
            "provenance",
            "unknown");
    private static final JsonKeys DEVICE_VARIABLE = JsonKeys.of("name", "value");
    private static final JsonKeys CLOUD =
            JsonKeys.of("provider", "instanceType", "instanceId", "region", "zone", "provenance", "unknown");
    private static final JsonKeys GPU_GRANT = JsonKeys.of("deviceIds", "gpuCount", "source");

    private final JsonReader json;
    private final List<Provenance> sources;

    SystemReader(JsonReader json, List<Provenance> sources) {
        this.json = json;
        this.sources = sources;
    }

    Interconnect readInterconnect() {
        JsonStruct struct = JsonStruct.lenient(json, INTERCONNECT);
        FactReader facts = new FactReader(json, sources);
        InterconnectKind kind = InterconnectKind.PCIE;
        String name = "";
        @Nullable Bandwidth bandwidth = null;
        @Nullable String state = null;
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> kind = Names.INTERCONNECTS.read(json);
                case 1 -> name = json.nextString();
                case 2 -> bandwidth = BandwidthText.read(json);
                case 3 -> state = json.nextString();
                case 4 -> facts.readProvenance();
                case 5 -> facts.readUnknown();
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b11);
        return new Interconnect(
                kind, name, facts.reading("bandwidthBytesPerSecond", bandwidth), facts.reading("state", state));
    }

    StorageDevice readStorage() {
        JsonStruct struct = JsonStruct.lenient(json, STORAGE);
        FactReader facts = new FactReader(json, sources);
        StorageDevice.Kind kind = StorageDevice.Kind.UNKNOWN;
        String name = "";
        @Nullable Bandwidth bandwidth = null;
        @Nullable String model = null;
        @Nullable Bytes size = null;
        @Nullable String state = null;
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> kind = Names.STORAGE.read(json);
                case 1 -> name = json.nextString();
                case 2 -> bandwidth = BandwidthText.read(json);
                case 3 -> model = json.nextString();
                case 4 -> size = new Bytes(json.nextUnsigned());
                case 5 -> facts.readProvenance();
                case 6 -> facts.readUnknown();
                case 7 -> state = json.nextString();
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b11);
        return new StorageDevice(
                name,
                kind,
                facts.reading("bandwidthBytesPerSecond", bandwidth),
                facts.reading("model", model),
                facts.reading("sizeBytes", size),
                facts.reading("state", state));
    }

    RuntimeEnvironment readEnvironment() {
        JsonStruct struct = JsonStruct.lenient(json, ENVIRONMENT);
        FactReader facts = new FactReader(json, sources);
        boolean docker = false;
        boolean kubernetes = false;
        List<DeviceVariable> variables = List.of();
        @Nullable String[] texts = new String[ENVIRONMENT.size()];
        @Nullable CloudInstance cloud = null;
        @Nullable GpuGrant grant = null;
        @Nullable Bytes memoryLimit = null;
        @Nullable Double cpuLimit = null;
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> docker = json.nextBoolean();
                case 1 -> kubernetes = json.nextBoolean();
                case 2 -> variables = readVariables();
                case 4 -> cloud = readCloud();
                case 5 -> grant = readGrant();
                case 7 -> memoryLimit = new Bytes(json.nextUnsigned());
                case 8 -> cpuLimit = json.nextDouble();
                case 11 -> facts.readProvenance();
                case 12 -> facts.readUnknown();
                default -> texts[field] = json.nextString();
            }
        }
        struct.require(0b11);
        return new RuntimeEnvironment(
                docker,
                kubernetes,
                facts.reading("kubernetesNamespace", texts[3]),
                facts.reading("cloud", cloud),
                facts.reading("gpuGrant", grant),
                facts.reading("container", texts[6]),
                facts.reading("memoryLimitBytes", memoryLimit),
                facts.reading("cpuLimit", cpuLimit),
                facts.reading("slurmJob", texts[9]),
                facts.reading("slurmGpus", texts[10]),
                variables);
    }

    private List<DeviceVariable> readVariables() {
        List<DeviceVariable> variables = new ArrayList<>();
        json.beginArray();
        while (json.nextItem()) {
            JsonStruct struct = JsonStruct.lenient(json, DEVICE_VARIABLE);
            String name = "";
            String value = "";
            for (int field = struct.next(); field >= 0; field = struct.next()) {
                if (field == 0) {
                    name = json.nextString();
                } else {
                    value = json.nextString();
                }
            }
            struct.require(0b11);
            variables.add(new DeviceVariable(name, value));
        }
        return variables;
    }

    private CloudInstance readCloud() {
        JsonStruct struct = JsonStruct.lenient(json, CLOUD);
        FactReader facts = new FactReader(json, sources);
        @Nullable String[] texts = new String[5];
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 5 -> facts.readProvenance();
                case 6 -> facts.readUnknown();
                default -> texts[field] = json.nextString();
            }
        }
        struct.require(0b1);
        return new CloudInstance(
                String.valueOf(texts[0]),
                facts.reading("instanceType", texts[1]),
                facts.reading("instanceId", texts[2]),
                facts.reading("region", texts[3]),
                facts.reading("zone", texts[4]));
    }

    private GpuGrant readGrant() {
        JsonStruct struct = JsonStruct.lenient(json, GPU_GRANT);
        List<String> ids = new ArrayList<>();
        long count = 0;
        String source = "";
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> {
                    json.beginArray();
                    while (json.nextItem()) {
                        ids.add(json.nextString());
                    }
                }
                case 1 -> count = json.nextUnsigned(Long.MAX_VALUE);
                case 2 -> source = json.nextString();
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b111);
        return new GpuGrant(ids, count, source);
    }

    TopologyGraph readTopology() {
        try {
            return new TopologyReader(json, sources).read();
        } catch (IllegalArgumentException e) {
            throw json.error(WRONG_VALUE, "the topology is not sound: " + e.getMessage());
        }
    }
}
