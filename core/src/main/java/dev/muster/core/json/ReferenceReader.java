// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_TYPE;

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
                case 1 -> profiles = json.nextDevices(this::readProfile);
                case 2 -> gaps = system.readGaps();
                case 3 -> systemIo = system.readSystemIo();
                default -> throw new AssertionError(field);
            }
        }
        root.require(ROOT_REQUIRED);
        json.requireEnd();
        return new AcceleratorRegistry(schema, profiles, gaps, systemIo, TopologyGraph.EMPTY, Reading.notProbed());
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
            AcceleratorKind kind = ReferenceKeys.KINDS.read(json);
            if (ReferenceWriter.hasFields(kind)) {
                throw json.error(WRONG_TYPE, "the accelerator " + kind.display() + " needs its fields as an object");
            }
            return AcceleratorType.of(kind, 0);
        }
        int tag = system.enterTag(ReferenceKeys.KINDS.keys());
        AcceleratorType type = readFields(ReferenceKeys.KINDS.values().get(tag));
        system.leaveTag();
        return type;
    }

    AcceleratorRequirement readRequirement() {
        if (json.isString()) {
            return AcceleratorRequirement.named().get(json.nextName(ReferenceKeys.REQUIREMENTS));
        }
        int tag = system.enterTag(ReferenceKeys.REQUIREMENT_TAGS);
        AcceleratorRequirement requirement;
        if (tag < ReferenceKeys.REQUIREMENTS.size()) {
            system.requireNoFields(ReferenceKeys.REQUIREMENT_TAGS.name(tag));
            requirement = AcceleratorRequirement.named().get(tag);
        } else {
            FieldReader tpu = new FieldReader(json, ReferenceKeys.MIN_CHIPS);
            requirement = AcceleratorRequirement.tpu(tpu.count("min_chips", AcceleratorType.MAX_COUNT));
        }
        system.leaveTag();
        return requirement;
    }

    private AcceleratorType readFields(AcceleratorKind kind) {
        if (!ReferenceWriter.hasFields(kind)) {
            system.requireNoFields(kind.display());
            return AcceleratorType.of(kind, 0);
        }
        return switch (kind) {
            case TPU -> {
                long[] fields = readFields(ReferenceKeys.TPU, 2, ReferenceKeys.TPU_VERSIONS);
                yield new AcceleratorType.Tpu(fields[0], fields[1], pick(ReferenceKeys.TPU_VERSIONS, fields[2]));
            }
            case GAUDI -> {
                long[] fields = readFields(ReferenceKeys.GAUDI, 1, ReferenceKeys.GAUDI_GENERATIONS);
                yield new AcceleratorType.Gaudi(fields[0], pick(ReferenceKeys.GAUDI_GENERATIONS, fields[1]));
            }
            case AWS_NEURON -> {
                long[] fields = readFields(ReferenceKeys.NEURON, 1, ReferenceKeys.NEURON_CHIPS);
                yield new AcceleratorType.Neuron(fields[0], pick(ReferenceKeys.NEURON_CHIPS, fields[1]), fields[2]);
            }
            default -> AcceleratorType.of(kind, readFields(ReferenceKeys.DEVICE, -1, ReferenceKeys.KINDS)[0]);
        };
    }

    /// Reads the fields of a type: counts, of which one may be a name instead.
    private long[] readFields(JsonKeys keys, int named, Names<?> names) {
        long[] values = new long[keys.size()];
        JsonStruct struct = JsonStruct.lenient(json, keys);
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            values[field] = field == named ? system.readName(names.keys()) : readCount();
        }
        struct.require((1L << values.length) - 1);
        return values;
    }

    private static <E extends Enum<E>> E pick(Names<E> names, long index) {
        return names.values().get((int) index);
    }

    private long readCount() {
        return json.nextUnsigned(AcceleratorType.MAX_COUNT);
    }

    /// The optional fields of a profile, as they are read.
    private final class ProfileFacts {
        private final AcceleratorProfile.ProfileBuilder builder = AcceleratorProfile.builder(CPU);

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
