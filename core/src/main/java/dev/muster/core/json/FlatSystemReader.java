package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.Code.WRONG_VALUE;

import dev.muster.core.Interconnect;
import dev.muster.core.InterconnectKind;
import dev.muster.core.Reading;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.RuntimeEnvironment.CloudInstance;
import dev.muster.core.RuntimeEnvironment.GpuGrant;
import dev.muster.core.StorageDevice;
import dev.muster.core.SystemIo;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Reads what stands around the profiles in ai-hwaccel's flat form.
final class FlatSystemReader {
    private static final JsonKeys SYSTEM_IO = JsonKeys.of("interconnects", "storage", "environment");
    private static final JsonKeys ITEM = JsonKeys.of("kind", "name", "bandwidth_bytes_per_sec", "state");
    private static final JsonKeys ENVIRONMENT = JsonKeys.of(
            "is_docker",
            "is_k8s",
            "k8s_namespace",
            "cloud_provider",
            "instance_type",
            "region",
            "k8s_gpu_count",
            "k8s_gpu_source");
    private static final double BYTES_PER_GB = 1e9;

    private final JsonReader json;

    FlatSystemReader(JsonReader json) {
        this.json = json;
    }

    SystemIo readSystemIo() {
        JsonStruct struct = JsonStruct.lenient(json, SYSTEM_IO);
        List<Interconnect> interconnects = new ArrayList<>();
        List<StorageDevice> storage = new ArrayList<>();
        Reading<RuntimeEnvironment> environment = Reading.notProbed();
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> readItems().forEach(item -> interconnects.add(item.toInterconnect(json)));
                case 1 -> readItems().forEach(item -> storage.add(item.toStorage(json)));
                case 2 -> {
                    if (!json.nextNull()) {
                        environment = Reading.known(readEnvironment(), FlatReader.SOURCE);
                    }
                }
                default -> throw new AssertionError(field);
            }
        }
        return SystemIo.of(interconnects, storage, environment);
    }

    private List<Item> readItems() {
        List<Item> items = new ArrayList<>();
        json.beginArray();
        while (json.nextItem()) {
            items.add(readItem());
        }
        return items;
    }

    private Item readItem() {
        JsonStruct struct = JsonStruct.lenient(json, ITEM);
        String kind = "";
        String name = "";
        double bytesPerSecond = 0;
        Reading<String> state = Reading.notProbed();
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> kind = json.nextString();
                case 1 -> name = json.nextString();
                case 2 -> bytesPerSecond = json.nextDouble();
                case 3 -> state = readState();
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b111);
        return new Item(
                kind, name, Reading.known(new Bandwidth(bytesPerSecond / BYTES_PER_GB), FlatReader.SOURCE), state);
    }

    /// Some releases wrote a memory address instead of the text.
    private Reading<String> readState() {
        if (json.isString()) {
            return Reading.known(json.nextString(), FlatReader.SOURCE);
        }
        json.skipValue();
        return Reading.unknown(UnknownReason.UNREADABLE, "the document holds no text for the state");
    }

    private RuntimeEnvironment readEnvironment() {
        JsonStruct struct = JsonStruct.lenient(json, ENVIRONMENT);
        boolean docker = false;
        boolean kubernetes = false;
        String[] texts = new String[ENVIRONMENT.size()];
        Arrays.fill(texts, "");
        long gpuCount = 0;
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> docker = json.nextBoolean();
                case 1 -> kubernetes = json.nextBoolean();
                case 6 -> gpuCount = Math.max(0, json.nextSigned());
                default -> texts[field] = json.nextNull() ? "" : json.nextString();
            }
        }
        Reading<CloudInstance> cloud = known(texts[3])
                .map(provider -> new CloudInstance(
                        provider, known(texts[4]), Reading.notProbed(), known(texts[5]), Reading.notProbed()));
        long count = gpuCount;
        Reading<GpuGrant> grant = known(texts[7]).map(source -> new GpuGrant(List.of(), count, source));
        return RuntimeEnvironment.of(docker, kubernetes, known(texts[2]), cloud, grant);
    }

    private static Reading<String> known(String text) {
        return text.isEmpty() ? Reading.notProbed() : Reading.known(text, FlatReader.SOURCE);
    }

    private record Item(String kind, String name, Reading<Bandwidth> bandwidth, Reading<String> state) {
        Interconnect toInterconnect(JsonReader json) {
            for (InterconnectKind candidate : InterconnectKind.values()) {
                if (candidate.display().equals(kind)) {
                    return new Interconnect(candidate, name, bandwidth, state);
                }
            }
            throw json.error(WRONG_VALUE, "'" + kind + "' is no kind of interconnect");
        }

        StorageDevice toStorage(JsonReader json) {
            for (StorageDevice.Kind candidate : StorageDevice.Kind.values()) {
                if (candidate.isInReference() && candidate.display().equals(kind)) {
                    return StorageDevice.of(name, candidate, bandwidth);
                }
            }
            throw json.error(WRONG_VALUE, "'" + kind + "' is no kind of storage");
        }
    }
}
