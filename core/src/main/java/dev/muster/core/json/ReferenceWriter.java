// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.NOT_REPRESENTABLE;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorRequirement;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import java.util.Optional;
import java.util.function.Consumer;

/// Writes registries in ai-hwaccel's tagged form, schema 3, to the letter of release 1.2.0.
///
/// Partitions are left out, since that form would count their memory twice, and so are facts outside its
/// numbers. What the form cannot do without (a kind or generation it does not know, unknown memory of an
/// accelerator) is an error, not a guess.
record ReferenceWriter(JsonWriter json) {
    private static final double PERCENT = 100.0;
    /// The value that ai-hwaccel 1.2.0 itself writes for a host whose memory it cannot read.
    private static final Bytes UNREAD_HOST_MEMORY = Bytes.ofGib(16);

    void write(AcceleratorRegistry registry) {
        json.beginObject();
        json.key(ReferenceKeys.ROOT, 0).unsigned(registry.referenceSchema());
        json.key(ReferenceKeys.ROOT, 1).beginArray();
        for (AcceleratorProfile profile : registry.profiles()) {
            if (profile.partition().isEmpty()) {
                write(profile);
            }
        }
        json.endArray();
        ReferenceSystemWriter system = new ReferenceSystemWriter(json);
        if (!registry.gaps().isEmpty()) {
            json.key(ReferenceKeys.ROOT, 2).array(registry.gaps(), system::write);
        }
        json.key(ReferenceKeys.ROOT, 3);
        system.write(registry.systemIo());
        json.endObject();
    }

    void write(AcceleratorProfile profile) {
        json.beginObject();
        json.key(ReferenceKeys.PROFILE, 0);
        write(profile.accelerator());
        json.key(ReferenceKeys.PROFILE, 1).bool(profile.available());
        json.key(ReferenceKeys.PROFILE, 2).unsigned(requireMemory(profile).unsigned());
        nullable(3, profile.reading(DeviceFact.COMPUTE_CAPABILITY));
        nullable(4, profile.reading(DeviceFact.DRIVER_VERSION));
        known(5, profile.deviceName(), json::string);
        known(6, profile.memoryBandwidth(), rate -> json.number(rate.gigabytesPerSecond()));
        known(7, profile.reading(DeviceFact.MEMORY_USED), bytes -> json.unsigned(bytes.unsigned()));
        known(8, profile.memoryFree(), bytes -> json.unsigned(bytes.unsigned()));
        known(9, profile.reading(DeviceFact.PCIE_BANDWIDTH), rate -> json.number(rate.gigabytesPerSecond()));
        if (profile.reading(DeviceFact.NUMA_NODE) instanceof Reading.Known<Long>(var node, var _)) {
            count(10, node);
        }
        if (profile.reading(DeviceFact.TEMPERATURE) instanceof Reading.Known<?>(Celsius temperature, var _)) {
            count(11, Math.round(temperature.degrees()));
        }
        known(12, profile.reading(DeviceFact.POWER), power -> json.number(power.value()));
        if (profile.reading(DeviceFact.UTILIZATION) instanceof Reading.Known<?>(Ratio ratio, var _)) {
            count(13, Math.round(ratio.value() * PERCENT));
        }
        json.endObject();
    }

    void write(AcceleratorType type) {
        AcceleratorKind kind = type.kind();
        int tag = ReferenceKeys.KINDS.indexOf(kind);
        if (tag < 0) {
            throw cannotSay(type.display());
        }
        if (!hasFields(kind)) {
            json.string(ReferenceKeys.KINDS.text(kind));
            return;
        }
        json.beginObject().key(ReferenceKeys.KINDS.keys(), tag).beginObject();
        json.key(ReferenceKeys.DEVICE, 0).unsigned(type.deviceId());
        switch (type) {
            case AcceleratorType.Plain _, AcceleratorType.Other _ -> {}
            case AcceleratorType.Tpu tpu -> {
                json.key(ReferenceKeys.TPU, 1).unsigned(tpu.chipCount());
                String version = tpu.version().referenceName();
                json.key(ReferenceKeys.TPU, 2).string(require(tpu.version().isInReference(), version, type));
            }
            case AcceleratorType.Gaudi gaudi -> {
                String generation = gaudi.generation().display();
                json.key(ReferenceKeys.GAUDI, 1)
                        .string(require(gaudi.generation().isInReference(), generation, type));
            }
            case AcceleratorType.Neuron neuron -> {
                String chip = neuron.chip().display();
                json.key(ReferenceKeys.NEURON, 1).string(require(neuron.chip().isInReference(), chip, type));
                json.key(ReferenceKeys.NEURON, 2).unsigned(neuron.coreCount());
            }
        }
        json.endObject().endObject();
    }

    void write(AcceleratorRequirement requirement) {
        if (!requirement.hasMinChips()) {
            json.string(requirement.referenceName());
            return;
        }
        json.beginObject().key(ReferenceKeys.TPU_TAG, 0).beginObject();
        json.key(ReferenceKeys.MIN_CHIPS, 0).unsigned(requirement.minChips());
        json.endObject().endObject();
    }

    /// Reports whether the tagged form gives a kind as an object with fields, not as a bare name.
    static boolean hasFields(AcceleratorKind kind) {
        return switch (kind) {
            case CPU, METAL_GPU, INTEL_NPU, APPLE_NPU -> false;
            default -> true;
        };
    }

    private static String require(boolean known, String name, AcceleratorType type) {
        if (!known) {
            throw cannotSay(type.display());
        }
        return name;
    }

    private static DocumentException cannotSay(String device) {
        return DocumentException.of(
                NOT_REPRESENTABLE,
                "ai-hwaccel's form has no word for " + device + "; leave the device out or use Muster's own form");
    }

    /// A whole number of 32 bits without sign; one that is none, such as a temperature below zero, is left out.
    private void count(int field, long value) {
        if (value >= 0 && value <= AcceleratorType.MAX_COUNT) {
            json.key(ReferenceKeys.PROFILE, field).unsigned(value);
        }
    }

    private static Bytes requireMemory(AcceleratorProfile profile) {
        Optional<Bytes> memory = profile.memory().find();
        if (memory.isEmpty() && profile.accelerator().kind() == AcceleratorKind.CPU) {
            return UNREAD_HOST_MEMORY;
        }
        return memory.orElseThrow(() -> DocumentException.of(
                NOT_REPRESENTABLE,
                "ai-hwaccel's form needs the memory of " + profile.id() + ", which is unknown; use Muster's own form"));
    }

    private void nullable(int field, Reading<String> reading) {
        json.key(ReferenceKeys.PROFILE, field);
        if (reading instanceof Reading.Known<String>(var value, var _)) {
            json.string(value);
        } else {
            json.nullValue();
        }
    }

    private <T> void known(int field, Reading<T> reading, Consumer<T> write) {
        if (reading instanceof Reading.Known<T>(var value, var _)) {
            json.key(ReferenceKeys.PROFILE, field);
            write.accept(value);
        }
    }
}
