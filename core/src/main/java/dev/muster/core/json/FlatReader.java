package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.Code.MISSING_KEY;
import static dev.muster.core.json.DocumentException.Code.WRONG_VALUE;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.NeuronChip;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TpuVersion;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.ArrayList;
import java.util.List;

/// Reads registries in ai-hwaccel's flat form, schema 4 and 5, in which a profile is one object of plain values.
/// Unknown keys are read over, missing ones take that form's defaults, and its sentinel -1 reads as unknown.
final class FlatReader {
    static final Provenance SOURCE =
            Provenance.of("ai-hwaccel flat document", Provenance.Method.DOCUMENT, Provenance.Confidence.STATED);

    private static final JsonKeys ROOT = JsonKeys.of("schema_version", "profiles", "warnings", "system_io");
    private static final JsonKeys PROFILE = JsonKeys.of(
            "accelerator",
            "accel_type_id",
            "device_id",
            "available",
            "memory_bytes",
            "family",
            "compute_capability",
            "driver_version",
            "device_name",
            "memory_used_bytes",
            "memory_free_bytes",
            "numa_node",
            "temperature_c",
            "gpu_utilization_percent",
            "mem_bandwidth_x1000",
            "pcie_bandwidth_x1000",
            "power_x1000",
            "tpu_version",
            "tpu_chips",
            "gaudi_gen",
            "neuron_chip",
            "neuron_cores");
    private static final int UNSET = -1;
    private static final double PER_THOUSAND = 1000.0;
    private static final double PERCENT = 100.0;
    private static final List<TpuVersion> TPU_VERSIONS = List.of(TpuVersion.V4, TpuVersion.V5E, TpuVersion.V5P);
    private static final List<GaudiGeneration> GAUDI_GENERATIONS =
            List.of(GaudiGeneration.GAUDI2, GaudiGeneration.GAUDI3);
    private static final List<NeuronChip> NEURON_CHIPS = List.of(NeuronChip.INFERENTIA, NeuronChip.TRAINIUM);

    private final JsonReader json;

    FlatReader(JsonReader json) {
        this.json = json;
    }

    AcceleratorRegistry readRegistry() {
        JsonStruct root = JsonStruct.lenient(json, ROOT);
        List<AcceleratorProfile> profiles = List.of();
        List<Gap> gaps = List.of();
        SystemIo systemIo = SystemIo.EMPTY;
        for (int field = root.next(); field >= 0; field = root.next()) {
            switch (field) {
                case 0 -> json.nextUnsigned(AcceleratorType.MAX_COUNT);
                case 1 -> profiles = readProfiles();
                case 2 -> gaps = readGaps();
                case 3 -> systemIo = new FlatSystemReader(json).readSystemIo();
                default -> throw new AssertionError(field);
            }
        }
        if (!root.has(1)) {
            throw json.error(MISSING_KEY, "the key 'profiles' is missing");
        }
        json.requireEnd();
        // The flat numbers mean another form: what is read here is written as schema 3.
        return new AcceleratorRegistry(
                AcceleratorRegistry.REFERENCE_SCHEMA,
                profiles,
                gaps,
                systemIo,
                TopologyGraph.EMPTY,
                Reading.notProbed());
    }

    private List<AcceleratorProfile> readProfiles() {
        List<AcceleratorProfile> profiles = new ArrayList<>();
        json.beginArray();
        while (json.nextItem()) {
            profiles.add(readProfile());
        }
        return profiles;
    }

    private List<Gap> readGaps() {
        List<Gap> gaps = new ArrayList<>();
        json.beginArray();
        while (json.nextItem()) {
            gaps.add(new Gap.Unexplained(json.nextString()));
        }
        return gaps;
    }

    private AcceleratorProfile readProfile() {
        JsonStruct struct = JsonStruct.lenient(json, PROFILE);
        AcceleratorProfile.Builder facts = AcceleratorProfile.builder(AcceleratorType.cpu());
        long[] numbers = new long[PROFILE.size()];
        String name = AcceleratorKind.CPU.display();
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> name = json.nextNull() ? name : json.nextString();
                case 5 -> json.skipValue();
                case 3 -> facts.available(json.nextBoolean());
                case 6 -> text(facts, DeviceFact.COMPUTE_CAPABILITY);
                case 7 -> text(facts, DeviceFact.DRIVER_VERSION);
                case 8 -> text(facts, DeviceFact.DEVICE_NAME);
                default -> number(facts, field, numbers);
            }
        }
        AcceleratorKind kind = struct.has(1) ? kindOf(numbers[1]) : kindOf(name);
        return facts.accelerator(toType(kind, numbers)).build();
    }

    private void text(AcceleratorProfile.Builder facts, DeviceFact<String> fact) {
        if (!json.nextNull()) {
            facts.with(fact, Reading.known(json.nextString(), SOURCE));
        }
    }

    private void number(AcceleratorProfile.Builder facts, int field, long[] numbers) {
        if (json.nextNull()) {
            return;
        }
        long value = json.nextSigned();
        if (value < UNSET) {
            throw json.error(WRONG_VALUE, "'" + PROFILE.name(field) + "' is a number from 0 on");
        }
        if (value == UNSET) {
            return;
        }
        numbers[field] = value;
        switch (field) {
            case 4 -> set(facts, DeviceFact.MEMORY, Bytes.of(value));
            case 9 -> set(facts, DeviceFact.MEMORY_USED, Bytes.of(value));
            case 10 -> set(facts, DeviceFact.MEMORY_FREE, Bytes.of(value));
            case 11 -> set(facts, DeviceFact.NUMA_NODE, value);
            case 12 -> set(facts, DeviceFact.TEMPERATURE, new Celsius(value));
            case 13 -> set(facts, DeviceFact.UTILIZATION, new Ratio(value / PERCENT));
            case 14 -> set(facts, DeviceFact.MEMORY_BANDWIDTH, new Bandwidth(value / PER_THOUSAND));
            case 15 -> set(facts, DeviceFact.PCIE_BANDWIDTH, new Bandwidth(value / PER_THOUSAND));
            case 16 -> set(facts, DeviceFact.POWER, new Watts(value / PER_THOUSAND));
            default -> {} // part of the type
        }
    }

    private static <T> void set(AcceleratorProfile.Builder facts, DeviceFact<T> fact, T value) {
        facts.with(fact, Reading.known(value, SOURCE));
    }

    private AcceleratorKind kindOf(long flatId) {
        return AcceleratorKind.findByFlatId(flatId)
                .orElseThrow(() -> json.error(WRONG_VALUE, "no accelerator has the accel_type_id " + flatId));
    }

    /// Schema 4 has no number: there, the name says what the device is.
    private AcceleratorKind kindOf(String name) {
        for (AcceleratorKind kind : AcceleratorKind.values()) {
            if (kind.display().equals(name)) {
                return kind;
            }
        }
        throw json.error(WRONG_VALUE, "no accelerator has the name '" + JsonText.shorten(name) + "'");
    }

    private AcceleratorType toType(AcceleratorKind kind, long[] numbers) {
        long id = numbers[2];
        try {
            return switch (kind) {
                case TPU -> new AcceleratorType.Tpu(id, numbers[18], pick(TPU_VERSIONS, 17, numbers));
                case GAUDI -> new AcceleratorType.Gaudi(id, pick(GAUDI_GENERATIONS, 19, numbers));
                case AWS_NEURON -> new AcceleratorType.Neuron(id, pick(NEURON_CHIPS, 20, numbers), numbers[21]);
                default -> AcceleratorType.of(kind, id);
            };
        } catch (IllegalArgumentException e) {
            throw json.error(WRONG_VALUE, String.valueOf(e.getMessage()));
        }
    }

    private <T> T pick(List<T> values, int field, long[] numbers) {
        if (numbers[field] >= values.size()) {
            throw json.error(WRONG_VALUE, "'" + PROFILE.name(field) + "' is a number from 0 to " + (values.size() - 1));
        }
        return values.get((int) numbers[field]);
    }
}
