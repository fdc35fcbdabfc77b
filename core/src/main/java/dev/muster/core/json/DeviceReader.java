// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Partition;
import dev.muster.core.ProcessList;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.List;

/// Reads one device in Muster's own form. Keys that can be derived are read over.
record DeviceReader(JsonReader json, List<Provenance> sources) {
    AcceleratorProfile read() {
        OwnFieldReader device = new OwnFieldReader(json, sources);
        AcceleratorProfile.ProfileBuilder profile =
                AcceleratorProfile.builder(readType(device)).available(device.at("available", json::nextBoolean, true));
        if (device.has("partition")) {
            profile.partition(device.at("partition", this::readPartition));
        }
        for (DeviceFact<?> fact : DeviceFact.all()) {
            set(profile, fact, device);
        }
        return profile.build();
    }

    private <T> void set(AcceleratorProfile.ProfileBuilder profile, DeviceFact<T> fact, OwnFieldReader device) {
        profile.with(fact, device.reading(fact.key(), () -> readValue(fact)));
    }

    <T> T readValue(DeviceFact<T> fact) {
        return fact.javaType().cast(readValue(FactType.of(fact)));
    }

    private Object readValue(FactType type) {
        return switch (type) {
            case BYTES -> new Bytes(json.nextUnsigned());
            case BANDWIDTH -> BandwidthText.read(json);
            case TEXT -> json.nextString();
            case COUNT -> json.nextUnsigned(Long.MAX_VALUE);
            case CELSIUS -> new Celsius(json.nextDouble());
            case WATTS -> new Watts(json.nextDouble());
            case JOULES -> new Joules(json.nextDouble());
            case RATIO -> new Ratio(json.nextDouble());
            case PCI_ADDRESS -> OwnFieldReader.readPciAddress(json);
            case HERTZ -> new Hertz(json.nextUnsigned(Long.MAX_VALUE));
            case FLAG -> json.nextBoolean();
            case PROCESSES -> new ProcessList(json.nextList(this::readProcess));
        };
    }

    private DeviceProcess readProcess() {
        FieldReader process = new FieldReader(json);
        return new DeviceProcess(
                process.count("pid", Long.MAX_VALUE),
                process.has("name") ? process.text("name") : null,
                process.has("memoryBytes") ? process.at("memoryBytes", () -> new Bytes(json.nextUnsigned())) : null,
                process.has("utilizationRatio")
                        ? process.at("utilizationRatio", () -> new Ratio(json.nextDouble()))
                        : null);
    }

    private Partition readPartition() {
        FieldReader partition = new FieldReader(json);
        return new Partition(new DeviceId(partition.text("parent")), partition.text("id"), partition.text("shape", ""));
    }

    private AcceleratorType readType(OwnFieldReader device) {
        AcceleratorKind kind = device.name("accelerator", Names.ACCELERATORS);
        long index = device.count("index", AcceleratorType.MAX_COUNT, 0);
        long chips = device.count("chipCount", AcceleratorType.MAX_COUNT, 1);
        long cores = device.count("coreCount", AcceleratorType.MAX_COUNT, 1);
        return switch (kind) {
            case TPU -> new AcceleratorType.Tpu(index, chips, pick(device, "generation", Names.TPU_VERSIONS));
            case GAUDI -> new AcceleratorType.Gaudi(index, pick(device, "generation", Names.GAUDI_GENERATIONS));
            case AWS_NEURON -> new AcceleratorType.Neuron(index, pick(device, "generation", Names.NEURON_CHIPS), cores);
            case OTHER ->
                new AcceleratorType.Other(device.text("vendor", ""), pick(device, "family", Names.FAMILIES), index);
            default -> AcceleratorType.of(kind, index);
        };
    }

    /// One of a kind's names. Not there is as wrong as another: the kind needs it.
    private <E extends Enum<E>> E pick(OwnFieldReader device, String key, Names<E> names) {
        if (!device.has(key)) {
            throw json.error(
                    WRONG_VALUE,
                    "such a device needs its " + key + ", one of "
                            + String.join(", ", names.keys().names()));
        }
        return device.name(key, names);
    }
}
