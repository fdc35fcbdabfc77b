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

/// What arithmetic needs of a device. Each figure is a [Reading] that says where it comes from; beside it stands the
/// plain number that the cost model computes with, in bytes, operations and seconds. A number that is not known is
/// NaN, and whoever needs it asks first. Immutable and safe to share between threads.
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

    /// The figures of a row of the device catalogue.
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

    /// Starts with nothing known.
    ///
    /// @param id the short name in the device catalogue, or one that is not there
    public static Builder builder(String id, DeviceFamily family) {
        return new Builder(new FigureReadings(id, family));
    }

    /// The same with room for changes.
    public Builder toBuilder() {
        return new Builder(new FigureReadings(known));
    }

    /// The short name in the device catalogue.
    public String id() {
        return known.id;
    }

    /// Devices whose kernels behave alike.
    public DeviceFamily family() {
        return known.family;
    }

    /// Memory that programs get of the whole device.
    public Reading<Bytes> memorySize() {
        return known.memory;
    }

    /// What of it is free; unknown where all of it counts as free.
    public Reading<Bytes> memoryFree() {
        return known.memoryFree;
    }

    /// The rate between the device and its memory.
    public Reading<Bandwidth> memoryBandwidth() {
        return known.memoryBandwidth;
    }

    /// Operations with 16-bit numbers, summed in 32 bits.
    public Reading<OperationRate> halfRate() {
        return known.halfRate;
    }

    /// Operations with 8-bit numbers; those with 16 bits where it has no units for them.
    public Reading<OperationRate> eightBitRate() {
        return known.eightBitRate.isKnown() ? known.eightBitRate : known.halfRate;
    }

    /// Operations with 4-bit numbers; those with 8 bits where it has no units for them.
    public Reading<OperationRate> fourBitRate() {
        return known.fourBitRate.isKnown() ? known.fourBitRate : eightBitRate();
    }

    /// The power that it may draw.
    public Reading<Watts> powerLimit() {
        return known.powerLimit;
    }

    /// What it sends to others of its kind, one way.
    public Reading<Bandwidth> linkRate() {
        return known.linkRate;
    }

    /// How long collectives between such devices took, where somebody measured it: it comes before the link's
    /// rate.
    public Reading<MeshCalibration> collectives() {
        return known.collectives;
    }

    /// Seconds of one collective, as measured; NaN where groups of that size were not, or not in that place.
    ///
    /// @param bytes of the whole buffer
    /// @param isBetweenHosts whether the group leaves a machine
    public double collectiveSeconds(Collective collective, double members, double bytes, boolean isBetweenHosts) {
        return mesh == null || mesh.hosts() > 1 != isBetweenHosts
                ? Double.NaN
                : mesh.seconds(collective, (int) members, bytes).orElse(Double.NaN);
    }

    /// Over what it reaches others of its kind.
    public Linkage linkage() {
        return known.linkage;
    }

    /// How many devices one fast fabric joins.
    public long domain() {
        return known.domain;
    }

    /// Bits of the smallest floating-point numbers that its units multiply: 4, 8 or 16.
    public int leastFloatBits() {
        return known.leastFloatBits;
    }

    /// What CUDA calls its generation, such as 8.9; unknown where it has none.
    public Reading<Double> computeCapability() {
        return known.computeCapability;
    }

    /// Whether its units multiply 16-bit brain floating point: all but those of CUDA before compute capability 8.0.
    public boolean hasBf16() {
        return !(known.computeCapability.find().orElse(BF16_CAPABILITY) < BF16_CAPABILITY);
    }

    /// Bytes that programs get of the whole device.
    public double memory() {
        return bytes;
    }

    /// Bytes that are free.
    public double free() {
        return within(bytes);
    }

    /// What an engine gets that would like to take a share of the whole device: no more than is free.
    public double within(double share) {
        return known.memoryFree instanceof Reading.Known<Bytes>(Bytes free, var _)
                ? Math.min(share, free.toDouble())
                : share;
    }

    /// Bytes per second between the device and its memory.
    public double bandwidth() {
        return bandwidth;
    }

    /// Operations per second with 16-bit numbers, summed in 32 bits.
    public double half() {
        return half;
    }

    /// Operations per second with 16-bit numbers, summed in 16 bits: twice as many on GeForce.
    public double halfSums() {
        return known.halfSumsFactor * half;
    }

    /// Extensions of a processor's instruction set, such as `avx512_vnni`; empty for other devices.
    public Set<String> instructions() {
        return known.instructions;
    }

    /// Operations per second with 8-bit numbers; that of 16 bits where it has no units for them.
    public double eight() {
        return eight;
    }

    /// Operations per second with 4-bit numbers; that of 8 bits where it has no units for them.
    public double four() {
        return four;
    }

    /// Watts that it may draw, if somebody says.
    public Optional<Double> power() {
        return known.powerLimit.find().map(Watts::value).filter(watts -> watts > 0);
    }

    /// Bytes per second that it sends to others of its kind; 0 where no link is known.
    public double link() {
        return Double.isNaN(link) ? 0 : link;
    }

    /// Whether devices reach each other without taking bandwidth from others.
    public boolean isSwitched() {
        return known.linkage != Linkage.BUS;
    }

    /// Whether all is known that a plan needs: bandwidth, memory, and a rate of 16-bit operations.
    public boolean isComplete() {
        return bandwidth > 0 && bytes > 0 && half > 0;
    }

    /// Whether devices reach each other over a network between machines.
    public boolean isNetworked() {
        return known.linkage == Linkage.NETWORK;
    }

    /// The same device, joined with others over a network between machines.
    ///
    /// @param bytesPerSecond what each sends
    public DeviceFigures overNetwork(double bytesPerSecond) {
        return toBuilder()
                .link(Reading.known(new Bandwidth(bytesPerSecond / GIGA), NETWORK_SHARE), Linkage.NETWORK, known.domain)
                .build();
    }

    /// The same device with other memory, all of it free.
    public DeviceFigures withMemory(Bytes size) {
        return toBuilder()
                .memory(Reading.known(size, Provenance.GIVEN))
                .memoryFree(Reading.unknown(UnknownReason.NOT_STATED))
                .build();
    }

    /// The same device, so many times as fast.
    ///
    /// @param memory how many times the bandwidth
    /// @param arithmetic how many times the rates of operations
    /// @param source what says so
    public DeviceFigures times(double memory, double arithmetic, Provenance source) {
        return new DeviceFigures(known.times(memory, arithmetic, source));
    }

    /// Two devices are alike where the cost model says the same of both, wherever their figures come from.
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

    /// Over what devices of a kind reach each other.
    public enum Linkage {
        /// Over nothing that is known.
        NONE,
        /// Over PCI Express, on which they take bandwidth from each other.
        BUS,
        /// Over links of their own, such as NVLink.
        FABRIC,
        /// Over a network between machines.
        NETWORK;

        private static Linkage of(DeviceEntry.Link link) {
            return link.isFabric() ? FABRIC : link.isBus() ? BUS : NONE;
        }
    }

    /// Puts figures together. What nobody says stays unknown. Confined to one thread.
    public static final class Builder {
        private final FigureReadings values;

        private Builder(FigureReadings values) {
            this.values = values;
        }

        /// Memory that programs get of the whole device.
        public Builder memory(Reading<Bytes> value) {
            values.memory = value;
            return this;
        }

        /// What of it is free.
        public Builder memoryFree(Reading<Bytes> value) {
            values.memoryFree = value;
            return this;
        }

        /// The rate between the device and its memory.
        public Builder bandwidth(Reading<Bandwidth> value) {
            values.memoryBandwidth = value;
            return this;
        }

        /// Operations with 16-bit numbers; those with fewer bits are no faster unless somebody says.
        public Builder half(Reading<OperationRate> value) {
            values.halfRate = value;
            return this;
        }

        /// Operations with 8-bit numbers.
        public Builder eightBit(Reading<OperationRate> value) {
            values.eightBitRate = value;
            return this;
        }

        /// Operations with 4-bit numbers.
        public Builder fourBit(Reading<OperationRate> value) {
            values.fourBitRate = value;
            return this;
        }

        /// How many times as many 16-bit operations there are where they are summed in 16 bits.
        public Builder halfSums(double factor) {
            values.halfSumsFactor = factor;
            return this;
        }

        /// Bits of the smallest floating-point numbers that its units multiply.
        public Builder leastFloatBits(int bits) {
            values.leastFloatBits = bits;
            return this;
        }

        /// What CUDA calls its generation.
        public Builder computeCapability(Reading<Double> value) {
            values.computeCapability = value;
            return this;
        }

        /// Extensions of a processor's instruction set.
        public Builder instructions(Set<String> names) {
            values.instructions = Set.copyOf(names);
            return this;
        }

        /// The power that it may draw.
        public Builder power(Reading<Watts> value) {
            values.powerLimit = value;
            return this;
        }

        /// How it is joined to others of its kind.
        ///
        /// @param rate what it sends, one way
        /// @param devices how many devices one fast fabric joins
        public Builder link(Reading<Bandwidth> rate, Linkage over, long devices) {
            values.linkRate = rate;
            values.linkage = over;
            values.domain = devices;
            return this;
        }

        /// How long collectives between such devices took.
        public Builder collectives(Reading<MeshCalibration> value) {
            values.collectives = value;
            return this;
        }

        /// The figures.
        public DeviceFigures build() {
            return new DeviceFigures(new FigureReadings(values));
        }
    }
}
