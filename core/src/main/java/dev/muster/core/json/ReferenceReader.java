package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.Code.WRONG_TYPE;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorRequirement;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.ArrayList;
import java.util.List;

/// Reads registries and profiles in ai-hwaccel's tagged form, schema 1 to 3. What its reader accepts or refuses, this
/// one does too: unknown keys of the registry and of profiles are refused, newer schema numbers are taken as they are.
final class ReferenceReader {
    static final Provenance SOURCE =
            Provenance.of("ai-hwaccel document", Provenance.Method.DOCUMENT, Provenance.Confidence.STATED);

    private static final AcceleratorType CPU = AcceleratorType.cpu();
    private static final double PERCENT = 100.0;
    private static final long PROFILE_REQUIRED = 0b111;
    private static final long PROFILE_REQUIRED_IN_ARRAY = 0b11111;
    private static final long ROOT_REQUIRED = 0b10;

    private final JsonReader json;
    private final ReferenceSystemReader system;

    ReferenceReader(JsonReader json) {
        this.json = json;
        this.system = new ReferenceSystemReader(json);
    }

    AcceleratorRegistry readRegistry() {
        JsonStruct root = JsonStruct.strict(json, ReferenceKeys.ROOT);
        long schema = AcceleratorRegistry.REFERENCE_SCHEMA;
        List<AcceleratorProfile> profiles = List.of();
        List<Gap> gaps = List.of();
        SystemIo systemIo = SystemIo.EMPTY;
        for (int field = root.next(); field >= 0; field = root.next()) {
            switch (field) {
                case 0 -> schema = json.nextUnsigned(AcceleratorType.MAX_COUNT);
                case 1 -> profiles = readProfiles();
                case 2 -> gaps = system.readGaps();
                case 3 -> systemIo = system.readSystemIo();
                default -> throw new AssertionError(field);
            }
        }
        root.require(ROOT_REQUIRED);
        json.requireEnd();
        return new AcceleratorRegistry(schema, profiles, gaps, systemIo, TopologyGraph.EMPTY, Reading.notProbed());
    }

    private List<AcceleratorProfile> readProfiles() {
        List<AcceleratorProfile> profiles = new ArrayList<>();
        json.beginArray();
        while (json.nextItem()) {
            profiles.add(readProfile());
        }
        return profiles;
    }

    AcceleratorProfile readProfile() {
        JsonStruct struct = JsonStruct.strict(json, ReferenceKeys.PROFILE);
        AcceleratorType type = CPU;
        boolean available = true;
        ProfileFacts facts = new ProfileFacts();
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            if (field == 0) {
                type = readType();
            } else if (field == 1) {
                available = json.nextBoolean();
            } else if (field == 2) {
                facts.bytes(DeviceFact.MEMORY);
            } else if (!json.nextNull()) {
                facts.readOptional(field);
            }
        }
        struct.require(PROFILE_REQUIRED, PROFILE_REQUIRED_IN_ARRAY);
        return facts.build(type, available);
    }

    AcceleratorType readType() {
        if (json.isString()) {
            AcceleratorKind kind = ReferenceKeys.KINDS.get(json.nextName(ReferenceKeys.KIND_TAGS));
            if (ReferenceWriter.hasFields(kind)) {
                throw json.error(WRONG_TYPE, "the accelerator " + kind.display() + " needs its fields as an object");
            }
            return AcceleratorType.of(kind, 0);
        }
        AcceleratorKind kind = ReferenceKeys.KINDS.get(system.enterTag(ReferenceKeys.KIND_TAGS));
        AcceleratorType type = readFields(kind);
        system.leaveTag();
        return type;
    }

    AcceleratorRequirement readRequirement() {
        if (json.isString()) {
            int name = json.nextName(ReferenceKeys.REQUIREMENT_NAMES);
            return ReferenceKeys.REQUIREMENTS.get(name);
        }
        int tag = system.enterTag(ReferenceKeys.REQUIREMENT_TAGS);
        if (tag < ReferenceKeys.REQUIREMENTS.size()) {
            if (!json.nextNull()) {
                throw json.error(WRONG_TYPE, "'" + ReferenceKeys.REQUIREMENT_TAGS.name(tag) + "' has no fields");
            }
            system.leaveTag();
            return ReferenceKeys.REQUIREMENTS.get(tag);
        }
        JsonStruct struct = JsonStruct.lenient(json, ReferenceKeys.MIN_CHIPS);
        long minChips = 0;
        while (struct.next() >= 0) {
            minChips = readCount();
        }
        struct.require(0b1);
        system.leaveTag();
        return new AcceleratorRequirement.Tpu(minChips);
    }

    private AcceleratorType readFields(AcceleratorKind kind) {
        if (!ReferenceWriter.hasFields(kind)) {
            if (!json.nextNull()) {
                throw json.error(WRONG_TYPE, "the accelerator " + kind.display() + " has no fields");
            }
            return AcceleratorType.of(kind, 0);
        }
        return switch (kind) {
            case TPU -> readTpu();
            case GAUDI -> readGaudi();
            case AWS_NEURON -> readNeuron();
            default -> AcceleratorType.of(kind, readDeviceId());
        };
    }

    private long readDeviceId() {
        JsonStruct struct = JsonStruct.lenient(json, ReferenceKeys.DEVICE);
        long deviceId = 0;
        while (struct.next() >= 0) {
            deviceId = readCount();
        }
        struct.require(0b1);
        return deviceId;
    }

    private AcceleratorType readTpu() {
        JsonStruct struct = JsonStruct.lenient(json, ReferenceKeys.TPU);
        long deviceId = 0;
        long chips = 0;
        int version = 0;
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> deviceId = readCount();
                case 1 -> chips = readCount();
                case 2 -> version = system.readName(ReferenceKeys.TPU_VERSION_NAMES);
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b111);
        return new AcceleratorType.Tpu(deviceId, chips, ReferenceKeys.TPU_VERSIONS.get(version));
    }

    private AcceleratorType readGaudi() {
        JsonStruct struct = JsonStruct.lenient(json, ReferenceKeys.GAUDI);
        long deviceId = 0;
        int generation = 0;
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> deviceId = readCount();
                case 1 -> generation = system.readName(ReferenceKeys.GAUDI_NAMES);
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b11);
        return new AcceleratorType.Gaudi(deviceId, ReferenceKeys.GAUDI_GENERATIONS.get(generation));
    }

    private AcceleratorType readNeuron() {
        JsonStruct struct = JsonStruct.lenient(json, ReferenceKeys.NEURON);
        long deviceId = 0;
        int chip = 0;
        long cores = 0;
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> deviceId = readCount();
                case 1 -> chip = system.readName(ReferenceKeys.NEURON_NAMES);
                case 2 -> cores = readCount();
                default -> throw new AssertionError(field);
            }
        }
        struct.require(0b111);
        return new AcceleratorType.Neuron(deviceId, ReferenceKeys.NEURON_CHIPS.get(chip), cores);
    }

    private long readCount() {
        return json.nextUnsigned(AcceleratorType.MAX_COUNT);
    }

    /// The optional fields of a profile, as they are read.
    private final class ProfileFacts {
        private final AcceleratorProfile.Builder builder = AcceleratorProfile.builder(CPU);

        void readOptional(int field) {
            switch (field) {
                case 3 -> text(DeviceFact.COMPUTE_CAPABILITY);
                case 4 -> text(DeviceFact.DRIVER_VERSION);
                case 5 -> text(DeviceFact.DEVICE_NAME);
                case 6 -> bandwidth(DeviceFact.MEMORY_BANDWIDTH);
                case 7 -> bytes(DeviceFact.MEMORY_USED);
                case 8 -> bytes(DeviceFact.MEMORY_FREE);
                case 9 -> bandwidth(DeviceFact.PCIE_BANDWIDTH);
                case 10 -> set(DeviceFact.NUMA_NODE, readCount());
                case 11 -> set(DeviceFact.TEMPERATURE, new Celsius(readCount()));
                case 12 -> set(DeviceFact.POWER, new Watts(json.nextDouble()));
                case 13 -> set(DeviceFact.UTILIZATION, new Ratio(readCount() / PERCENT));
                default -> throw new AssertionError(field);
            }
        }

        void bytes(DeviceFact<Bytes> fact) {
            set(fact, new Bytes(json.nextUnsigned()));
        }

        private void text(DeviceFact<String> fact) {
            set(fact, json.nextString());
        }

        private void bandwidth(DeviceFact<Bandwidth> fact) {
            set(fact, new Bandwidth(json.nextDouble()));
        }

        private <T> void set(DeviceFact<T> fact, T value) {
            builder.with(fact, Reading.known(value, SOURCE));
        }

        AcceleratorProfile build(AcceleratorType type, boolean available) {
            return builder.accelerator(type).available(available).build();
        }
    }
}
