// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.OperationRate;
import dev.muster.core.unit.Watts;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.catalogue.Precision;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The figures of a device for the cost model. Each is a [Reading] with its source; beside it stands the plain number
/// that the cost model computes with, in bytes, operations and seconds. An unknown number is NaN, and its users check
/// first. Immutable and safe to share between threads.
///
/// Longer than other files, since it is one list of figures: each is read here and set in its builder.
///
/// @since 0.1
public final class DeviceFigures {
    private static final double BF16_CAPABILITY = 8.0;
    private static final double GIGA = 1e9;
    private static final Provenance NETWORK_SHARE =
            Provenance.of("network", Provenance.Method.DERIVED, Provenance.Confidence.STATED);

    private final FigureReadings known;

    private final double bytes;
    private final double bandwidth;
    private final double half;
    private final double eight;
    private final double four;
    private final double link;
    private final @Nullable MeshCalibration mesh;

    private DeviceFigures(FigureReadings known) {
        this.known = known;
        bytes = known.memory instanceof Reading.Known<Bytes>(Bytes size, var _) ? size.toDouble() : Double.NaN;
        bandwidth = FigureReadings.rate(known.memoryBandwidth);
        half = FigureReadings.operations(known.halfRate);
        eight = FigureReadings.operations(eightBitRate());
        four = FigureReadings.operations(fourBitRate());
        link = FigureReadings.rate(known.linkRate);
        mesh = known.collectives.find().orElse(null);
    }

    /// Returns the figures of a row of the device catalogue.
    public static DeviceFigures of(DeviceEntry entry) {
        return builder(entry.id(), DeviceFamily.of(entry))
                .memory(Reading.known(entry.memory().usable(), entry.provenance()))
                .bandwidth(Reading.known(entry.memory().bandwidth(), entry.provenance()))
                .half(entry.halfPeak())
                .eightBit(entry.eightBitPeak())
                .fourBit(entry.peak(Precision.FP4))
                .halfSums(entry.halvesHalfSums() ? 2 : 1)
                .power(entry.tdp())
                .link(
                        entry.link().oneWay(),
                        Linkage.of(entry.link()),
                        entry.link().domain().find().orElse(1L))
                .leastFloatBits(entry.leastFloatBits())
                .computeCapability(entry.signature().computeCapability())
                .build();
    }

    /// Returns a builder without any figures.
    ///
    /// @param id short name in the device catalogue, or another one
    public static FiguresBuilder builder(String id, DeviceFamily family) {
        return new FiguresBuilder(new FigureReadings(id, family));
    }

    /// Returns a builder with these figures.
    public FiguresBuilder toBuilder() {
        return new FiguresBuilder(new FigureReadings(known));
    }

    /// Returns the short name in the device catalogue.
    public String id() {
        return known.id;
    }

    /// Returns the family: devices with the same kernels.
    public DeviceFamily family() {
        return known.family;
    }

    /// Returns the memory for programs on the whole device.
    public Reading<Bytes> memorySize() {
        return known.memory;
    }

    /// Returns the free memory; unknown if all of it counts as free.
    public Reading<Bytes> memoryFree() {
        return known.memoryFree;
    }

    /// Returns the rate between the device and its memory.
    public Reading<Bandwidth> memoryBandwidth() {
        return known.memoryBandwidth;
    }

    /// Returns the rate of operations with 16-bit numbers, summed in 32 bits.
    public Reading<OperationRate> halfRate() {
        return known.halfRate;
    }

    /// Returns the rate of operations with 8-bit numbers; that of 16 bits if it has no units for them.
    public Reading<OperationRate> eightBitRate() {
        return known.eightBitRate.isKnown() ? known.eightBitRate : known.halfRate;
    }

    /// Returns the rate of operations with 4-bit numbers; that of 8 bits if it has no units for them.
    public Reading<OperationRate> fourBitRate() {
        return known.fourBitRate.isKnown() ? known.fourBitRate : eightBitRate();
    }

    /// Returns the power limit.
    public Reading<Watts> powerLimit() {
        return known.powerLimit;
    }

    /// Returns the bandwidth to others of its kind, one way.
    public Reading<Bandwidth> linkRate() {
        return known.linkRate;
    }

    /// Returns the measured times of collectives between such devices, if any: they override the link's rate.
    public Reading<MeshCalibration> collectives() {
        return known.collectives;
    }

    /// Returns the measured seconds of one collective; NaN if groups of that size were not measured, or not in that
    /// place.
    ///
    /// @param bytes bytes of the whole buffer
    /// @param isBetweenHosts true if the group leaves a machine
    public double collectiveSeconds(Collective collective, double members, double bytes, boolean isBetweenHosts) {
        return mesh == null || mesh.hosts() > 1 != isBetweenHosts
                ? Double.NaN
                : mesh.seconds(collective, (int) members, bytes).orElse(Double.NaN);
    }

    /// Returns the kind of link to others of its kind.
    public Linkage linkage() {
        return known.linkage;
    }

    /// Returns the number of devices that one fast fabric joins.
    public long domain() {
        return known.domain;
    }

    /// Returns the bits of the smallest floating-point numbers that its units multiply: 4, 8 or 16.
    public int leastFloatBits() {
        return known.leastFloatBits;
    }

    /// Returns the CUDA compute capability, such as 8.9; unknown if it has none.
    public Reading<Double> computeCapability() {
        return known.computeCapability;
    }

    /// Reports whether its units multiply 16-bit brain floating point: all but those of CUDA before compute
    /// capability 8.0.
    public boolean hasBf16() {
        return !(known.computeCapability.find().orElse(BF16_CAPABILITY) < BF16_CAPABILITY);
    }

    /// Returns the bytes for programs on the whole device.
    public double memory() {
        return bytes;
    }

    /// Returns the free bytes.
    public double free() {
        return within(bytes);
    }

    /// Returns the memory of an engine that takes a share of the whole device: no more than is free.
    public double within(double share) {
        return known.memoryFree instanceof Reading.Known<Bytes>(Bytes free, var _)
                ? Math.min(share, free.toDouble())
                : share;
    }

    /// Returns the bytes per second between the device and its memory.
    public double bandwidth() {
        return bandwidth;
    }

    /// Returns the operations per second with 16-bit numbers, summed in 32 bits.
    public double half() {
        return half;
    }

    /// Returns the operations per second with 16-bit numbers, summed in 16 bits: twice as many on GeForce.
    public double halfSums() {
        return known.halfSumsFactor * half;
    }

    /// Returns the extensions of a processor's instruction set, such as `avx512_vnni`; empty for other devices.
    public Set<String> instructions() {
        return known.instructions;
    }

    /// Returns the operations per second with 8-bit numbers; that of 16 bits if it has no units for them.
    public double eight() {
        return eight;
    }

    /// Returns the operations per second with 4-bit numbers; that of 8 bits if it has no units for them.
    public double four() {
        return four;
    }

    /// Returns the power limit in watts, if it is known.
    public Optional<Double> power() {
        return known.powerLimit.find().map(Watts::value).filter(watts -> watts > 0);
    }

    /// Returns the bytes per second to others of its kind; 0 if no link is known.
    public double link() {
        return Double.isNaN(link) ? 0 : link;
    }

    /// Reports whether devices reach each other without taking bandwidth from others.
    public boolean isSwitched() {
        return known.linkage != Linkage.BUS;
    }

    /// Reports whether all figures that a plan needs are known: bandwidth, memory, and a rate of 16-bit operations.
    public boolean isComplete() {
        return bandwidth > 0 && bytes > 0 && half > 0;
    }

    /// Reports whether devices reach each other over a network between machines.
    public boolean isNetworked() {
        return known.linkage == Linkage.NETWORK;
    }

    /// Returns the same device, joined with others over a network between machines.
    ///
    /// @param bytesPerSecond bandwidth of each
    public DeviceFigures overNetwork(double bytesPerSecond) {
        return toBuilder()
                .link(Reading.known(new Bandwidth(bytesPerSecond / GIGA), NETWORK_SHARE), Linkage.NETWORK, known.domain)
                .build();
    }

    /// Returns the same device with other memory, all of it free.
    public DeviceFigures withMemory(Bytes size) {
        return toBuilder()
                .memory(Reading.known(size, Provenance.GIVEN))
                .memoryFree(Reading.unknown(UnknownReason.NOT_STATED))
                .build();
    }

    /// Returns the same device with scaled speeds.
    ///
    /// @param memory factor of the bandwidth
    /// @param arithmetic factor of the rates of operations
    /// @param source source of the factors
    public DeviceFigures times(double memory, double arithmetic, Provenance source) {
        return new DeviceFigures(known.times(memory, arithmetic, source));
    }

    /// Reports whether the cost model gives the same results for both, independent of the sources of their figures.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DeviceFigures that
                && known.id.equals(that.known.id)
                && known.linkage == that.known.linkage
                && known.domain == that.known.domain
                && Double.compare(bytes, that.bytes) == 0
                && known.memoryFree.find().equals(that.known.memoryFree.find())
                && Double.compare(bandwidth, that.bandwidth) == 0
                && Double.compare(half, that.half) == 0
                && Double.compare(eight, that.eight) == 0
                && Double.compare(four, that.four) == 0
                && Double.compare(link, that.link) == 0
                && known.computeCapability.find().equals(that.known.computeCapability.find())
                && known.instructions.equals(that.known.instructions)
                && Objects.equals(mesh, that.mesh)
                && power().equals(that.power());
    }

    @Override
    public int hashCode() {
        return Objects.hash(known.id, bytes, bandwidth);
    }

    @Override
    public String toString() {
        return known.id;
    }

    /// The link between devices of a kind.
    public enum Linkage {
        /// No known link.
        NONE,
        /// PCI Express, whose bandwidth they share.
        BUS,
        /// Links of their own, such as NVLink.
        FABRIC,
        /// A network between machines.
        NETWORK;

        private static Linkage of(DeviceEntry.DeviceLink link) {
            return link.isFabric() ? FABRIC : link.isBus() ? BUS : NONE;
        }
    }

    /// A builder of figures. Missing figures are unknown. Confined to one thread.
    public static final class FiguresBuilder {
        private final FigureReadings values;

        private FiguresBuilder(FigureReadings values) {
            this.values = values;
        }

        /// Sets the memory for programs on the whole device.
        public FiguresBuilder memory(Reading<Bytes> value) {
            values.memory = value;
            return this;
        }

        /// Sets the free memory.
        public FiguresBuilder memoryFree(Reading<Bytes> value) {
            values.memoryFree = value;
            return this;
        }

        /// Sets the rate between the device and its memory.
        public FiguresBuilder bandwidth(Reading<Bandwidth> value) {
            values.memoryBandwidth = value;
            return this;
        }

        /// Sets the rate of 16-bit operations; those with fewer bits are not faster unless stated.
        public FiguresBuilder half(Reading<OperationRate> value) {
            values.halfRate = value;
            return this;
        }

        /// Sets the rate of 8-bit operations.
        public FiguresBuilder eightBit(Reading<OperationRate> value) {
            values.eightBitRate = value;
            return this;
        }

        /// Sets the rate of 4-bit operations.
        public FiguresBuilder fourBit(Reading<OperationRate> value) {
            values.fourBitRate = value;
            return this;
        }

        /// Sets the factor of 16-bit operations that are summed in 16 bits.
        public FiguresBuilder halfSums(double factor) {
            values.halfSumsFactor = factor;
            return this;
        }

        /// Sets the bits of the smallest floating-point numbers that its units multiply.
        public FiguresBuilder leastFloatBits(int bits) {
            values.leastFloatBits = bits;
            return this;
        }

        /// Sets the CUDA compute capability.
        public FiguresBuilder computeCapability(Reading<Double> value) {
            values.computeCapability = value;
            return this;
        }

        /// Sets the extensions of a processor's instruction set.
        public FiguresBuilder instructions(Set<String> names) {
            values.instructions = Set.copyOf(names);
            return this;
        }

        /// Sets the power limit.
        public FiguresBuilder power(Reading<Watts> value) {
            values.powerLimit = value;
            return this;
        }

        /// Sets the link to others of its kind.
        ///
        /// @param rate bandwidth, one way
        /// @param devices number of devices one fast fabric joins
        public FiguresBuilder link(Reading<Bandwidth> rate, Linkage over, long devices) {
            values.linkRate = rate;
            values.linkage = over;
            values.domain = devices;
            return this;
        }

        /// Sets the measured times of collectives between such devices.
        public FiguresBuilder collectives(Reading<MeshCalibration> value) {
            values.collectives = value;
            return this;
        }

        /// Builds the figures.
        public DeviceFigures build() {
            return new DeviceFigures(new FigureReadings(values));
        }
    }
}
