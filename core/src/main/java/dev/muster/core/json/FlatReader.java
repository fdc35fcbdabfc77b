// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.Interconnect;
import dev.muster.core.NeuronChip;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.RuntimeEnvironment.CloudInstance;
import dev.muster.core.RuntimeEnvironment.GpuGrant;
import dev.muster.core.StorageDevice;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TpuVersion;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.List;
import java.util.function.LongFunction;

/// Reads registries in ai-hwaccel's flat form, schema 4 and 5, in which a profile is one object of plain values.
/// Unknown keys are read over, missing ones take that form's defaults, and its sentinel -1 reads as unknown.
record FlatReader(JsonReader json) {
    static final Provenance SOURCE =
            Provenance.of("ai-hwaccel flat document", Provenance.Method.DOCUMENT, Provenance.Confidence.STATED);

    private static final int UNSET = -1;
    private static final double PER_THOUSAND = 1000.0;
    private static final double PERCENT = 100.0;
    private static final double BYTES_PER_GB = 1e9;
    private static final Names<AcceleratorKind> KINDS = Names.of(AcceleratorKind.values(), AcceleratorKind::display);
    private static final Names<Interconnect.InterconnectKind> INTERCONNECTS =
            Names.of(Interconnect.InterconnectKind.values(), Interconnect.InterconnectKind::display);
    private static final Names<StorageDevice.StorageKind> STORAGE = Names.of(
            StorageDevice.StorageKind.values(),
            StorageDevice.StorageKind::isInReference,
            StorageDevice.StorageKind::display);
    private static final List<TpuVersion> TPU_VERSIONS = List.of(TpuVersion.V4, TpuVersion.V5E, TpuVersion.V5P);
    private static final List<GaudiGeneration> GAUDI_GENERATIONS =
            List.of(GaudiGeneration.GAUDI2, GaudiGeneration.GAUDI3);
    private static final List<NeuronChip> NEURON_CHIPS = List.of(NeuronChip.INFERENTIA, NeuronChip.TRAINIUM);

    AcceleratorRegistry readRegistry() {
        FieldReader root = new FieldReader(json);
        json.requireEnd();
        root.count("schema_version", AcceleratorType.MAX_COUNT, 0);
        // The flat numbers mean another form: what is read here is written as schema 3.
        return new AcceleratorRegistry(
                AcceleratorRegistry.REFERENCE_SCHEMA,
                root.at("profiles", () -> json.nextDevices(this::readProfile)),
                root.list("warnings", () -> new Gap.Unexplained(json.nextString())),
                root.at("system_io", this::readSystemIo, SystemIo.EMPTY),
                TopologyGraph.EMPTY,
                Reading.notProbed());
    }

    private AcceleratorProfile readProfile() {
        FieldReader profile = new FieldReader(json);
        AcceleratorProfile.ProfileBuilder facts = AcceleratorProfile.builder(readType(profile))
                .available(profile.at("available", json::nextBoolean, true));
        text(profile, "compute_capability", facts, DeviceFact.COMPUTE_CAPABILITY);
        text(profile, "driver_version", facts, DeviceFact.DRIVER_VERSION);
        text(profile, "device_name", facts, DeviceFact.DEVICE_NAME);
        number(profile, "memory_bytes", facts, DeviceFact.MEMORY, Bytes::of);
        number(profile, "memory_used_bytes", facts, DeviceFact.MEMORY_USED, Bytes::of);
        number(profile, "memory_free_bytes", facts, DeviceFact.MEMORY_FREE, Bytes::of);
        number(profile, "numa_node", facts, DeviceFact.NUMA_NODE, node -> node);
        number(profile, "temperature_c", facts, DeviceFact.TEMPERATURE, Celsius::new);
        number(profile, "gpu_utilization_percent", facts, DeviceFact.UTILIZATION, share -> new Ratio(share / PERCENT));
        number(profile, "mem_bandwidth_x1000", facts, DeviceFact.MEMORY_BANDWIDTH, FlatReader::thousandths);
        number(profile, "pcie_bandwidth_x1000", facts, DeviceFact.PCIE_BANDWIDTH, FlatReader::thousandths);
        number(profile, "power_x1000", facts, DeviceFact.POWER, power -> new Watts(power / PER_THOUSAND));
        return facts.build();
    }

    private void text(
            FieldReader profile, String key, AcceleratorProfile.ProfileBuilder facts, DeviceFact<String> fact) {
        if (isSet(profile, key)) {
            facts.with(fact, Reading.known(profile.text(key), SOURCE));
        }
    }

    private <T> void number(
            FieldReader profile,
            String key,
            AcceleratorProfile.ProfileBuilder facts,
            DeviceFact<T> fact,
            LongFunction<T> unit) {
        long value = number(profile, key);
        if (value != UNSET) {
            facts.with(fact, Reading.known(unit.apply(value), SOURCE));
        }
    }

    private static Bandwidth thousandths(long value) {
        return new Bandwidth(value / PER_THOUSAND);
    }

    private boolean isSet(FieldReader object, String key) {
        return !object.at(key, json::nextNull, true);
    }

    private long number(FieldReader object, String key) {
        long value = isSet(object, key) ? object.at(key, json::nextSigned) : UNSET;
        if (value < UNSET) {
            throw json.error(WRONG_VALUE, "'" + key + "' is a number from 0 on");
        }
        return value;
    }

    private AcceleratorType readType(FieldReader profile) {
        long id = orZero(profile, "device_id");
        long chips = orZero(profile, "tpu_chips");
        long cores = orZero(profile, "neuron_cores");
        AcceleratorKind kind = readKind(profile);
        try {
            return switch (kind) {
                case TPU -> new AcceleratorType.Tpu(id, chips, pick(profile, "tpu_version", TPU_VERSIONS));
                case GAUDI -> new AcceleratorType.Gaudi(id, pick(profile, "gaudi_gen", GAUDI_GENERATIONS));
                case AWS_NEURON -> new AcceleratorType.Neuron(id, pick(profile, "neuron_chip", NEURON_CHIPS), cores);
                default -> AcceleratorType.of(kind, id);
            };
        } catch (IllegalArgumentException e) {
            throw json.error(WRONG_VALUE, String.valueOf(e.getMessage()));
        }
    }

    /// Schema 4 has no number: there, the name says what the device is.
    private AcceleratorKind readKind(FieldReader profile) {
        if (profile.has("accel_type_id")) {
            long flatId = orZero(profile, "accel_type_id");
            return AcceleratorKind.findByFlatId(flatId)
                    .orElseThrow(() -> json.error(WRONG_VALUE, "no accelerator has the accel_type_id " + flatId));
        }
        return isSet(profile, "accelerator") ? profile.name("accelerator", KINDS) : AcceleratorKind.CPU;
    }

    private long orZero(FieldReader profile, String key) {
        return Math.max(0, number(profile, key));
    }

    private <T> T pick(FieldReader profile, String key, List<T> values) {
        long number = orZero(profile, key);
        if (number >= values.size()) {
            throw json.error(WRONG_VALUE, "'" + key + "' is a number from 0 to " + (values.size() - 1));
        }
        return values.get((int) number);
    }

    private SystemIo readSystemIo() {
        FieldReader io = new FieldReader(json);
        return SystemIo.of(
                io.list("interconnects", this::readInterconnect),
                io.list("storage", this::readStorage),
                isSet(io, "environment")
                        ? Reading.known(io.at("environment", this::readEnvironment), SOURCE)
                        : Reading.notProbed());
    }

    private Interconnect readInterconnect() {
        FieldReader item = new FieldReader(json);
        return new Interconnect(
                item.name("kind", INTERCONNECTS),
                item.text("name"),
                bandwidth(item),
                item.at("state", this::readState, Reading.notProbed()));
    }

    private StorageDevice readStorage() {
        FieldReader item = new FieldReader(json);
        return StorageDevice.of(item.text("name"), item.name("kind", STORAGE), bandwidth(item));
    }

    private Reading<Bandwidth> bandwidth(FieldReader item) {
        double bytesPerSecond = item.at("bandwidth_bytes_per_sec", json::nextDouble);
        return Reading.known(new Bandwidth(bytesPerSecond / BYTES_PER_GB), SOURCE);
    }

    /// Some releases wrote a memory address instead of the text.
    private Reading<String> readState() {
        return json.isString()
                ? Reading.known(json.nextString(), SOURCE)
                : Reading.unknown(UnknownReason.UNREADABLE, "the document holds no text for the state");
    }

    private RuntimeEnvironment readEnvironment() {
        FieldReader item = new FieldReader(json);
        long gpuCount = Math.max(0, item.at("k8s_gpu_count", json::nextSigned, 0L));
        return RuntimeEnvironment.of(
                item.at("is_docker", json::nextBoolean, false),
                item.at("is_k8s", json::nextBoolean, false),
                text(item, "k8s_namespace"),
                text(item, "cloud_provider")
                        .map(provider -> new CloudInstance(
                                provider,
                                text(item, "instance_type"),
                                Reading.notProbed(),
                                text(item, "region"),
                                Reading.notProbed())),
                text(item, "k8s_gpu_source").map(source -> new GpuGrant(List.of(), gpuCount, source)));
    }

    private Reading<String> text(FieldReader item, String key) {
        String text = isSet(item, key) ? item.text(key) : "";
        return text.isEmpty() ? Reading.notProbed() : Reading.known(text, SOURCE);
    }
}
