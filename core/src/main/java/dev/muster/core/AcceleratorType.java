// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.List;

/// The type of a device: its kind, its number among devices of that kind, and further distinctions of some kinds.
/// Immutable; equality is over all components.
///
/// @since 0.1
public sealed interface AcceleratorType {
    /// The largest number, chip count or core count: documents of ai-hwaccel hold unsigned 32-bit numbers.
    long MAX_COUNT = 0xFFFF_FFFFL;

    /// The host's processor.
    static AcceleratorType cpu() {
        return new Plain(AcceleratorKind.CPU, 0);
    }

    /// A device that its kind and number describe.
    ///
    /// @throws IllegalArgumentException for kinds that need more: a generation, or the name of a vendor
    static AcceleratorType of(AcceleratorKind kind, long deviceId) {
        return new Plain(kind, deviceId);
    }

    /// The device's kind.
    AcceleratorKind kind();

    /// The device's number among devices of its kind, from 0.
    long deviceId();

    /// The prefix of the device's id before the number, such as `cuda`; for other vendors, the vendor's name.
    default String text() {
        return kind().text();
    }

    /// The rank of the device among others when the best one is chosen; higher is better.
    default int rank() {
        return kind().rank();
    }

    /// Speed of inference relative to a CPU, a rule of thumb.
    default double throughputMultiplier() {
        return kind().throughputMultiplier();
    }

    /// Speed of training relative to a CPU, a rule of thumb; 0 where the device cannot train.
    default double trainingMultiplier() {
        return kind().trainingMultiplier();
    }

    /// The device for people, such as `CUDA GPU (device 0)`.
    String display();

    /// The device's family.
    default AcceleratorFamily family() {
        return kind().family();
    }

    /// Reports whether the device can train models.
    default boolean supportsTraining() {
        return trainingMultiplier() > 0;
    }

    /// The quantization levels the device runs.
    default List<QuantizationLevel> supportedQuantizations() {
        return kind().supportedQuantizations();
    }

    /// The quantization level the device runs best.
    default QuantizationLevel preferredQuantization() {
        return kind().preferredQuantization();
    }

    private static void requireCount(String what, long value) {
        if (value < 0 || value > MAX_COUNT) {
            throw new IllegalArgumentException(what + " is a number from 0 to " + MAX_COUNT + ": " + value);
        }
    }

    /// A device that its kind and number describe.
    ///
    /// @param kind any kind without generations
    /// @param deviceId the number among devices of that kind
    record Plain(AcceleratorKind kind, long deviceId) implements AcceleratorType {
        /// Checks the kind and the number.
        public Plain {
            if (kind.needsMore()) {
                throw new IllegalArgumentException(kind.display() + ": a device needs its "
                        + (kind == AcceleratorKind.OTHER ? "vendor" : "generation"));
            }
            requireCount("a device number", deviceId);
        }

        @Override
        public String display() {
            return kind.isNumbered() ? kind.display() + " (device " + deviceId + ")" : kind.display();
        }
    }

    /// A Google TPU: one device of several chips.
    ///
    /// @param deviceId the number among TPUs
    /// @param chipCount the number of chips the device joins
    /// @param version the generation
    record Tpu(long deviceId, long chipCount, TpuVersion version) implements AcceleratorType {
        /// Checks the numbers.
        public Tpu {
            requireCount("a device number", deviceId);
            requireCount("a chip count", chipCount);
        }

        @Override
        public AcceleratorKind kind() {
            return AcceleratorKind.TPU;
        }

        @Override
        public int rank() {
            return version.figures().rank();
        }

        @Override
        public double throughputMultiplier() {
            return version.figures().throughput();
        }

        @Override
        public double trainingMultiplier() {
            return version.figures().training();
        }

        @Override
        public String display() {
            return "TPU " + version.display() + " (device " + deviceId + ", " + chipCount + " chips)";
        }
    }

    /// An Intel Gaudi device.
    ///
    /// @param deviceId the number among Gaudi devices
    /// @param generation the generation
    record Gaudi(long deviceId, GaudiGeneration generation) implements AcceleratorType {
        /// Checks the number.
        public Gaudi {
            requireCount("a device number", deviceId);
        }

        @Override
        public AcceleratorKind kind() {
            return AcceleratorKind.GAUDI;
        }

        @Override
        public int rank() {
            return generation.figures().rank();
        }

        @Override
        public double throughputMultiplier() {
            return generation.figures().throughput();
        }

        @Override
        public double trainingMultiplier() {
            return generation.figures().training();
        }

        @Override
        public String display() {
            return "Intel " + generation.display() + " (device " + deviceId + ")";
        }
    }

    /// An AWS Neuron device: one chip of several cores.
    ///
    /// @param deviceId the number among Neuron devices
    /// @param chip the chip
    /// @param coreCount the number of cores the device shows
    record Neuron(long deviceId, NeuronChip chip, long coreCount) implements AcceleratorType {
        /// Checks the numbers.
        public Neuron {
            requireCount("a device number", deviceId);
            requireCount("a core count", coreCount);
        }

        @Override
        public AcceleratorKind kind() {
            return AcceleratorKind.AWS_NEURON;
        }

        @Override
        public int rank() {
            return chip.figures().rank();
        }

        @Override
        public double throughputMultiplier() {
            return chip.throughputMultiplier(coreCount);
        }

        @Override
        public double trainingMultiplier() {
            return chip.trainingMultiplier(coreCount);
        }

        @Override
        public String display() {
            return "AWS " + chip.display() + " (device " + deviceId + ", " + coreCount + " cores)";
        }
    }

    /// A device of a vendor that Muster does not know, as a third-party probe describes it.
    ///
    /// @param vendor the vendor's own name, which stands in device ids: letters from a to z, digits and `-`
    /// @param family the nearest family
    /// @param deviceId the number among devices of that vendor
    record Other(String vendor, AcceleratorFamily family, long deviceId) implements AcceleratorType {
        private static final int MAX_NAME = 32;

        /// Checks the name, which no kind may have, and the number.
        public Other {
            if (!isName(vendor) || AcceleratorKind.find(vendor).isPresent()) {
                throw new IllegalArgumentException("a vendor's name has up to " + MAX_NAME
                        + " of a-z, 0-9 and '-', begins with a letter, and is not the name of a kind: '" + vendor
                        + "'");
            }
            requireCount("a device number", deviceId);
        }

        private static boolean isName(String text) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                boolean isLetter = c >= 'a' && c <= 'z';
                if (!isLetter && (i == 0 || !((c >= '0' && c <= '9') || c == '-'))) {
                    return false;
                }
            }
            return !text.isEmpty() && text.length() <= MAX_NAME;
        }

        @Override
        public AcceleratorKind kind() {
            return AcceleratorKind.OTHER;
        }

        @Override
        public String text() {
            return vendor;
        }

        @Override
        public String display() {
            return vendor + " " + family.display() + " (device " + deviceId + ")";
        }
    }
}
