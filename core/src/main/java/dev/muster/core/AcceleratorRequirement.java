// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.List;
import java.util.function.Predicate;

/// A requirement on the type of a device, as in ai-hwaccel. An unavailable device satisfies no requirement. Immutable.
///
/// @since 0.1
public final class AcceleratorRequirement {
    /// Any device.
    public static final AcceleratorRequirement NONE = new AcceleratorRequirement("none", "None", _ -> true);
    /// A GPU.
    public static final AcceleratorRequirement GPU =
            new AcceleratorRequirement("gpu", "Gpu", type -> type.family() == AcceleratorFamily.GPU);
    /// A Gaudi device.
    public static final AcceleratorRequirement GAUDI =
            new AcceleratorRequirement("gaudi", "Gaudi", type -> type.kind() == AcceleratorKind.GAUDI);
    /// An AWS Neuron device.
    public static final AcceleratorRequirement AWS_NEURON =
            new AcceleratorRequirement("aws-neuron", "AwsNeuron", type -> type.kind() == AcceleratorKind.AWS_NEURON);
    /// A GPU or a TPU.
    public static final AcceleratorRequirement GPU_OR_TPU = new AcceleratorRequirement(
            "gpu-or-tpu",
            "GpuOrTpu",
            type -> type.family() == AcceleratorFamily.GPU || type.family() == AcceleratorFamily.TPU);
    /// Any device except a CPU.
    public static final AcceleratorRequirement ANY_ACCELERATOR =
            new AcceleratorRequirement("any-accelerator", "AnyAccelerator", type -> type.kind() != AcceleratorKind.CPU);

    private static final List<AcceleratorRequirement> NAMED =
            List.of(NONE, GPU, GAUDI, AWS_NEURON, GPU_OR_TPU, ANY_ACCELERATOR);
    private static final long NO_CHIPS = -1;

    private final String display;
    private final String referenceName;
    private final Predicate<AcceleratorType> rule;
    private final long minChips;

    private AcceleratorRequirement(
            String display, String referenceName, Predicate<AcceleratorType> rule, long minChips) {
        this.display = display;
        this.referenceName = referenceName;
        this.rule = rule;
        this.minChips = minChips;
    }

    private AcceleratorRequirement(String display, String referenceName, Predicate<AcceleratorType> rule) {
        this(display, referenceName, rule, NO_CHIPS);
    }

    /// The requirements without a number.
    public static List<AcceleratorRequirement> named() {
        return NAMED;
    }

    /// Requires a TPU of at least the given number of chips.
    ///
    /// @param minChips the least number of chips in one device; 0 accepts any TPU
    public static AcceleratorRequirement tpu(long minChips) {
        if (minChips < 0 || minChips > AcceleratorType.MAX_COUNT) {
            throw new IllegalArgumentException("a chip count is not negative: " + minChips);
        }
        return new AcceleratorRequirement(
                "tpu(" + minChips + "+ chips)",
                "Tpu",
                type -> type instanceof AcceleratorType.Tpu tpu && tpu.chipCount() >= minChips,
                minChips);
    }

    /// Reports whether a device satisfies the requirement.
    public boolean isSatisfiedBy(AcceleratorProfile profile) {
        return profile.available() && accepts(profile.accelerator());
    }

    /// Reports whether an available device of the given type satisfies the requirement.
    public boolean accepts(AcceleratorType type) {
        return rule.test(type);
    }

    /// The requirement for people and on the command line, such as `gpu-or-tpu`.
    public String display() {
        return display;
    }

    /// The name in documents of ai-hwaccel.
    public String referenceName() {
        return referenceName;
    }

    /// Reports whether the requirement has a number of chips.
    public boolean hasMinChips() {
        return minChips != NO_CHIPS;
    }

    /// The least number of chips of a TPU.
    ///
    /// @throws IllegalStateException if the requirement has none
    public long minChips() {
        if (!hasMinChips()) {
            throw new IllegalStateException(display + " does not name a number of chips");
        }
        return minChips;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AcceleratorRequirement requirement && display.equals(requirement.display);
    }

    @Override
    public int hashCode() {
        return display.hashCode();
    }

    @Override
    public String toString() {
        return display;
    }
}
