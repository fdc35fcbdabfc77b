// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

/// What a piece of work needs, as ai-hwaccel states it. A device that is not available satisfies nothing.
///
/// @since 0.1
public sealed interface AcceleratorRequirement {
    /// Whether a device satisfies the requirement.
    default boolean isSatisfiedBy(AcceleratorProfile profile) {
        return profile.available() && accepts(profile.accelerator());
    }

    /// Whether an available device of that type satisfies the requirement.
    boolean accepts(AcceleratorType type);

    /// The requirement for people and on the command line, such as `gpu-or-tpu`.
    String display();

    /// Requirements without a number.
    enum Simple implements AcceleratorRequirement {
        /// Any device.
        NONE("none", "None"),
        /// A GPU.
        GPU("gpu", "Gpu"),
        /// A Gaudi device.
        GAUDI("gaudi", "Gaudi"),
        /// An AWS Neuron device.
        AWS_NEURON("aws-neuron", "AwsNeuron"),
        /// A GPU or a TPU.
        GPU_OR_TPU("gpu-or-tpu", "GpuOrTpu"),
        /// Anything but a CPU.
        ANY_ACCELERATOR("any-accelerator", "AnyAccelerator");

        private final String display;
        private final String referenceName;

        Simple(String display, String referenceName) {
            this.display = display;
            this.referenceName = referenceName;
        }

        /// The name in documents of ai-hwaccel.
        public String referenceName() {
            return referenceName;
        }

        @Override
        public String display() {
            return display;
        }

        @Override
        public boolean accepts(AcceleratorType type) {
            return switch (this) {
                case NONE -> true;
                case GPU -> type.family() == AcceleratorFamily.GPU;
                case GAUDI -> type.kind() == AcceleratorKind.GAUDI;
                case AWS_NEURON -> type.kind() == AcceleratorKind.AWS_NEURON;
                case GPU_OR_TPU -> type.family() == AcceleratorFamily.GPU || type.family() == AcceleratorFamily.TPU;
                case ANY_ACCELERATOR -> type.kind() != AcceleratorKind.CPU;
            };
        }
    }

    /// A TPU of at least so many chips.
    ///
    /// @param minChips the least number of chips in one device; 0 accepts any TPU
    record Tpu(long minChips) implements AcceleratorRequirement {
        /// Checks the number.
        public Tpu {
            if (minChips < 0 || minChips > AcceleratorType.MAX_COUNT) {
                throw new IllegalArgumentException("a chip count is not negative: " + minChips);
            }
        }

        @Override
        public String display() {
            return "tpu(" + minChips + "+ chips)";
        }

        @Override
        public boolean accepts(AcceleratorType type) {
            return type instanceof AcceleratorType.Tpu tpu && tpu.chipCount() >= minChips;
        }
    }
}
