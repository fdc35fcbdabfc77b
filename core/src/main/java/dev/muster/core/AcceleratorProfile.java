// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Everything known about one device: what it is, whether it can be used now, and a [Reading] for each [DeviceFact].
/// Immutable and safe to share between threads.
///
/// @since 0.1
public final class AcceleratorProfile {
    private static final Provenance SPECIFICATION =
            Provenance.of("specification", Provenance.Method.CATALOGUE, Provenance.Confidence.STATED);

    private static final double BYTES_PER_GIGABYTE = 1e9;

    private static final Reading<?>[] NOTHING_KNOWN = {};
    /// Room for what ai-hwaccel's documents can say; most devices need no more.
    private static final int FIRST_ROOM = 12;

    private final AcceleratorType accelerator;
    private final boolean available;
    private final @Nullable Partition partition;
    /// By [DeviceFact#index()]; what lies behind the end was not probed.
    private final Reading<?>[] readings;

    private AcceleratorProfile(ProfileBuilder builder) {
        this.accelerator = builder.accelerator;
        this.available = builder.available;
        this.partition = builder.partition;
        this.readings = builder.readings;
    }

    /// Starts the profile of a device that is available and of which nothing more is known.
    public static ProfileBuilder builder(AcceleratorType accelerator) {
        return new ProfileBuilder(accelerator, NOTHING_KNOWN);
    }

    /// A CPU with that much memory.
    public static AcceleratorProfile cpu(Bytes memory) {
        return withMemory(AcceleratorType.cpu(), memory);
    }

    /// An NVIDIA GPU with that much memory.
    public static AcceleratorProfile cuda(long deviceId, Bytes memory) {
        return withMemory(AcceleratorType.of(AcceleratorKind.CUDA_GPU, deviceId), memory);
    }

    /// An AMD GPU with that much memory.
    public static AcceleratorProfile rocm(long deviceId, Bytes memory) {
        return withMemory(AcceleratorType.of(AcceleratorKind.ROCM_GPU, deviceId), memory);
    }

    /// A TPU of some chips; memory follows from the generation, stopping at 2^64-1 bytes.
    public static AcceleratorProfile tpu(long deviceId, long chipCount, TpuVersion version) {
        return specified(
                new AcceleratorType.Tpu(deviceId, chipCount, version),
                version.memoryPerChip().saturatingTimes(chipCount),
                "TPU " + version.display());
    }

    /// A Gaudi device; memory follows from the generation.
    public static AcceleratorProfile gaudi(long deviceId, GaudiGeneration generation) {
        return specified(new AcceleratorType.Gaudi(deviceId, generation), generation.memory(), generation.display());
    }

    /// A Neuron device of some cores; memory follows from the chip.
    public static AcceleratorProfile neuron(long deviceId, NeuronChip chip, long coreCount) {
        return specified(
                new AcceleratorType.Neuron(deviceId, chip, coreCount),
                chip.memoryPerCore().saturatingTimes(coreCount),
                "Neuron " + chip.display());
    }

    private static AcceleratorProfile withMemory(AcceleratorType type, Bytes memory) {
        return builder(type)
                .with(DeviceFact.MEMORY, Reading.known(memory, Provenance.GIVEN))
                .build();
    }

    private static AcceleratorProfile specified(AcceleratorType type, Bytes memory, String capability) {
        return builder(type)
                .with(DeviceFact.MEMORY, Reading.known(memory, SPECIFICATION))
                .with(DeviceFact.COMPUTE_CAPABILITY, Reading.known(capability, SPECIFICATION))
                .build();
    }

    /// A builder that starts with everything this profile says.
    public ProfileBuilder toBuilder() {
        ProfileBuilder copy = new ProfileBuilder(accelerator, readings);
        copy.available = available;
        copy.partition = partition;
        return copy;
    }

    /// The type of the device.
    public AcceleratorType accelerator() {
        return accelerator;
    }

    /// Reports whether the device can be used now.
    public boolean available() {
        return available;
    }

    /// The device's name within its registry.
    public DeviceId id() {
        return DeviceId.of(accelerator, partition);
    }

    /// The partition that the device is, if it is one.
    public Optional<Partition> partition() {
        return Optional.ofNullable(partition);
    }

    /// Reports whether the device is given out in slices alone, as a GPU in MIG mode is: it cannot be used as a whole,
    /// even
    /// where no slice has been made yet.
    public boolean isDivided() {
        return partition().isEmpty()
                && reading(DeviceFact.PARTITIONING)
                        .matches(how -> how.regionMatches(true, 0, "mig", 0, "mig".length()));
    }

    /// The reading of a fact.
    @SuppressWarnings("unchecked") // the builder stores each reading under the fact of its own type
    public <T> Reading<T> reading(DeviceFact<T> fact) {
        int index = fact.index();
        return index < readings.length ? (Reading<T>) readings[index] : Reading.notProbed();
    }

    /// A fact as a number in its base unit: bytes, bytes per second, degrees Celsius, watts, joules, hertz, shares of
    /// 1;
    /// yes is 1 and no is 0. Empty where it is unknown or no number.
    ///
    /// @since 0.2
    public OptionalDouble number(DeviceFact<?> fact) {
        return switch (reading(fact).find().orElse(null)) {
            case Bytes bytes -> OptionalDouble.of(bytes.toDouble());
            case Bandwidth rate -> OptionalDouble.of(rate.gigabytesPerSecond() * BYTES_PER_GIGABYTE);
            case Celsius temperature -> OptionalDouble.of(temperature.degrees());
            case Watts power -> OptionalDouble.of(power.value());
            case Joules energy -> OptionalDouble.of(energy.value());
            case Ratio share -> OptionalDouble.of(share.value());
            case Hertz frequency -> OptionalDouble.of((double) frequency.value());
            case Long count -> OptionalDouble.of((double) count);
            case Boolean flag -> OptionalDouble.of(flag ? 1 : 0);
            case null, default -> OptionalDouble.empty();
        };
    }

    /// Memory of the device; system memory for a CPU.
    public Reading<Bytes> memory() {
        return reading(DeviceFact.MEMORY);
    }

    /// Memory that can still be taken.
    public Reading<Bytes> memoryFree() {
        return reading(DeviceFact.MEMORY_FREE);
    }

    /// Reports whether programs on the device use the host's memory: it has none of its own, or not more than what its
    /// driver lends it. A GPU that reaches the host's memory beside its own does not.
    ///
    /// @since 0.2
    public boolean sharesHostMemory() {
        return reading(DeviceFact.MEMORY_SHARED) instanceof Reading.Known<Bytes>(Bytes shared, var _)
                && !(memory() instanceof Reading.Known<Bytes>(Bytes own, var _)
                        && (accelerator.kind() == AcceleratorKind.CUDA_GPU || own.compareTo(shared) > 0));
    }

    /// Memory that programs on the device can have: its own, or the host's.
    ///
    /// @since 0.2
    public Reading<Bytes> usableMemory() {
        return sharesHostMemory() ? reading(DeviceFact.MEMORY_SHARED) : memory();
    }

    /// The part of [#usableMemory()] that can still be taken.
    ///
    /// @since 0.2
    public Reading<Bytes> usableMemoryFree() {
        return sharesHostMemory() ? reading(DeviceFact.MEMORY_SHARED_FREE) : memoryFree();
    }

    /// Peak rate between the device and its memory.
    public Reading<Bandwidth> memoryBandwidth() {
        return reading(DeviceFact.MEMORY_BANDWIDTH);
    }

    /// Marketing name.
    public Reading<String> deviceName() {
        return reading(DeviceFact.DEVICE_NAME);
    }

    /// The device on one line, as ai-hwaccel prints it: type, name, memory in GiB (its word is "GB"), and a word if
    /// the device cannot be used. Unknown memory is printed as a question mark.
    public String display() {
        String name = deviceName().find().map(text -> " [" + text + "]").orElse("");
        String memory =
                memory().find().map(bytes -> FixedText.of(bytes.toGib(), 1)).orElse("?");
        return accelerator.display() + name + " (" + memory + " GB" + (available ? ")" : ", unavailable)");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AcceleratorProfile that
                && (this == that
                        || (accelerator.equals(that.accelerator)
                                && available == that.available
                                && partition().equals(that.partition())
                                && hasSameReadings(that)));
    }

    /// Profiles made from one another share most readings: those are not looked into.
    private boolean hasSameReadings(AcceleratorProfile that) {
        for (DeviceFact<?> fact : DeviceFact.all()) {
            Reading<?> own = reading(fact);
            Reading<?> others = that.reading(fact);
            if (own != others && !own.equals(others)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return accelerator.hashCode() * 31 + memory().hashCode();
    }

    @Override
    public String toString() {
        return display();
    }

    /// Collects what is known of a device. Confined to one thread.
    public static final class ProfileBuilder {
        private Reading<?>[] readings;
        /// True if a profile or another builder holds the same array.
        private boolean shared = true;
        private AcceleratorType accelerator;
        private boolean available = true;
        private @Nullable Partition partition;

        private ProfileBuilder(AcceleratorType accelerator, Reading<?>[] readings) {
            this.accelerator = accelerator;
            this.readings = readings;
        }

        /// Says what the device is.
        public ProfileBuilder accelerator(AcceleratorType value) {
            accelerator = value;
            return this;
        }

        /// Says whether the device can be used now.
        public ProfileBuilder available(boolean value) {
            available = value;
            return this;
        }

        /// Makes the device a partition of another.
        public ProfileBuilder partition(Partition value) {
            partition = value;
            return this;
        }

        /// Says what is known of a fact.
        public <T> ProfileBuilder with(DeviceFact<T> fact, Reading<T> reading) {
            int index = fact.index();
            if (index >= readings.length) {
                grow(index < FIRST_ROOM ? FIRST_ROOM : DeviceFact.all().size());
            } else if (shared) {
                readings = readings.clone();
                shared = false;
            }
            readings[index] = reading;
            return this;
        }

        /// Says what is known of a fact where nothing is known yet. A reason why it is unknown stays where the new
        /// reading is unknown too.
        public <T> ProfileBuilder fill(DeviceFact<T> fact, Reading<T> reading) {
            Reading<?> own = fact.index() < readings.length ? readings[fact.index()] : Reading.notProbed();
            return own.isNotProbed() || (reading.isKnown() && !own.isKnown()) ? with(fact, reading) : this;
        }

        private void grow(int room) {
            Reading<?>[] grown = Arrays.copyOf(readings, room);
            Arrays.fill(grown, readings.length, room, Reading.notProbed());
            readings = grown;
            shared = false;
        }

        /// The profile.
        public AcceleratorProfile build() {
            shared = true;
            return new AcceleratorProfile(this);
        }
    }
}
