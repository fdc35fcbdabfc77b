package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.Code.WRONG_VALUE;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.DeviceProcess;
import dev.muster.core.Partition;
import dev.muster.core.PciAddress;
import dev.muster.core.ProcessList;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads one device in Muster's own form. Keys that can be derived are read over.
final class DeviceReader {
    private static final List<String> TYPE_KEYS = List.of(
            "accelerator",
            "index",
            "generation",
            "chipCount",
            "coreCount",
            "available",
            "partition",
            "provenance",
            "unknown",
            "vendor",
            "family");
    private static final JsonKeys DEVICE = deviceKeys();
    private static final JsonKeys PROCESS = JsonKeys.of("pid", "name", "memoryBytes");
    private static final JsonKeys PARTITION = JsonKeys.of("parent", "id", "shape");

    private final JsonReader json;
    private final List<Provenance> sources;

    DeviceReader(JsonReader json, List<Provenance> sources) {
        this.json = json;
        this.sources = sources;
    }

    private static JsonKeys deviceKeys() {
        List<String> keys = new ArrayList<>(TYPE_KEYS);
        DeviceFact.all().forEach(fact -> keys.add(fact.key()));
        return JsonKeys.of(keys);
    }

    AcceleratorProfile readDevice() {
        JsonStruct struct = JsonStruct.lenient(json, DEVICE);
        TypeParts type = new TypeParts();
        AcceleratorProfile.Builder profile = AcceleratorProfile.builder(AcceleratorType.cpu());
        FactReader facts = new FactReader(json, sources);
        @Nullable Object[] values = new Object[DeviceFact.all().size()];
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> type.kind = Names.ACCELERATORS.read(json);
                case 1 -> type.index = readCount();
                case 2 -> type.readGeneration();
                case 3 -> type.chips = readCount();
                case 4 -> type.cores = readCount();
                case 5 -> profile.available(json.nextBoolean());
                case 6 -> profile.partition(readPartition());
                case 7 -> facts.readProvenance();
                case 8 -> facts.readUnknown();
                case 9 -> type.vendor = json.nextString();
                case 10 -> type.family = json.nextString();
                default -> {
                    int index = field - TYPE_KEYS.size();
                    values[index] = readValue(DeviceFact.all().get(index));
                }
            }
        }
        struct.require(0b1);
        for (DeviceFact<?> fact : DeviceFact.all()) {
            set(profile, fact, facts, values[fact.index()]);
        }
        return profile.accelerator(type.toType()).build();
    }

    private static <T> void set(
            AcceleratorProfile.Builder profile, DeviceFact<T> fact, FactReader facts, @Nullable Object value) {
        profile.with(
                fact,
                facts.reading(fact.key(), value == null ? null : fact.javaType().cast(value)));
    }

    private Object readValue(DeviceFact<?> fact) {
        return switch (fact.type()) {
            case BYTES -> new Bytes(json.nextUnsigned());
            case BANDWIDTH -> BandwidthText.read(json);
            case TEXT -> json.nextString();
            case COUNT -> json.nextUnsigned(Long.MAX_VALUE);
            case CELSIUS -> new Celsius(json.nextDouble());
            case WATTS -> new Watts(json.nextDouble());
            case RATIO -> new Ratio(json.nextDouble());
            case PCI_ADDRESS -> readPciAddress(json);
            case HERTZ -> new Hertz(json.nextUnsigned(Long.MAX_VALUE));
            case FLAG -> json.nextBoolean();
            case PROCESSES -> readProcesses();
        };
    }

    private ProcessList readProcesses() {
        List<DeviceProcess> processes = new ArrayList<>();
        json.beginArray();
        while (json.nextItem()) {
            JsonStruct struct = JsonStruct.lenient(json, PROCESS);
            long pid = 0;
            @Nullable String name = null;
            @Nullable Bytes memory = null;
            for (int field = struct.next(); field >= 0; field = struct.next()) {
                switch (field) {
                    case 0 -> pid = json.nextUnsigned(Long.MAX_VALUE);
                    case 1 -> name = json.nextString();
                    default -> memory = new Bytes(json.nextUnsigned());
                }
            }
            struct.require(0b1);
            processes.add(new DeviceProcess(pid, name, memory));
        }
        return new ProcessList(processes);
    }

    static PciAddress readPciAddress(JsonReader json) {
        String text = json.nextString();
        return PciAddress.find(text)
                .orElseThrow(() -> json.error(WRONG_VALUE, "a PCI address is written as 0000:3b:00.0"));
    }

    private Partition readPartition() {
        String[] texts = {"", "", ""};
        JsonStruct struct = JsonStruct.lenient(json, PARTITION);
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            texts[field] = json.nextString();
        }
        struct.require(0b11);
        if (texts[0].isBlank() || texts[1].isBlank()) {
            throw json.error(WRONG_VALUE, "a partition names its parent and has an id");
        }
        return new Partition(new DeviceId(texts[0]), texts[1], texts[2]);
    }

    private long readCount() {
        return json.nextUnsigned(AcceleratorType.MAX_COUNT);
    }

    /// The parts of a type, in whatever order they come.
    private final class TypeParts {
        private AcceleratorKind kind = AcceleratorKind.CPU;
        private long index;
        private String generation = "";
        private String vendor = "";
        private String family = "";
        private long chips = 1;
        private long cores = 1;

        void readGeneration() {
            generation = json.nextString();
        }

        AcceleratorType toType() {
            return switch (kind) {
                case TPU -> new AcceleratorType.Tpu(index, chips, pick(Names.TPU_VERSIONS));
                case GAUDI -> new AcceleratorType.Gaudi(index, pick(Names.GAUDI_GENERATIONS));
                case AWS_NEURON -> new AcceleratorType.Neuron(index, pick(Names.NEURON_CHIPS), cores);
                case OTHER -> toOther();
                default -> AcceleratorType.of(kind, index);
            };
        }

        private AcceleratorType toOther() {
            try {
                return new AcceleratorType.Other(vendor, pick(Names.FAMILIES, "family", family), index);
            } catch (IllegalArgumentException e) {
                throw json.error(WRONG_VALUE, String.valueOf(e.getMessage()));
            }
        }

        private <E extends Enum<E>> E pick(Names<E> names) {
            return pick(names, "generation", generation);
        }

        private <E extends Enum<E>> E pick(Names<E> names, String what, String value) {
            int found = names.keys().indexOf(value);
            if (found == JsonKeys.NONE) {
                throw json.error(
                        WRONG_VALUE,
                        "the " + what + " of a " + kind.display() + " is one of "
                                + String.join(", ", names.keys().names()));
            }
            return names.values().get(found);
        }
    }
}
