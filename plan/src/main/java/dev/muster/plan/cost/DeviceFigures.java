package dev.muster.plan.cost;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.OperationRate;
import dev.muster.core.unit.Watts;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.catalogue.Precision;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What arithmetic needs of a device. Each figure is a [Reading] that says where it comes from; beside it stands the
/// plain number that the cost model computes with, in bytes, operations and seconds. A number that is not known is
/// NaN, and whoever needs it asks first. Immutable and safe to share between threads.
///
/// @since 0.1
public final class DeviceFigures {
    /// The kind of link that leaves the machine.
    private static final String NETWORK = "network";

    private static final double BF16_CAPABILITY = 8.0;
    private static final double TERA = 1e12;
    private static final double GIGA = 1e9;
    private static final Provenance NETWORK_SHARE =
            Provenance.of("network", Provenance.Method.DERIVED, Provenance.Confidence.STATED);

    private final Builder known;

    private final double bytes;
    private final double bandwidth;
    private final double half;
    private final double eight;
    private final double four;
    private final double link;

    private DeviceFigures(Builder from) {
        known = new Builder(from);
        bytes = known.memory.find().map(Bytes::toDouble).orElse(Double.NaN);
        bandwidth = rate(known.memoryBandwidth);
        half = operations(known.halfRate).orElse(Double.NaN);
        eight = operations(known.eightBitRate).orElse(half);
        four = operations(known.fourBitRate).orElse(eight);
        link = rate(known.linkRate);
    }

    /// The figures of a row of the device catalogue.
    public static DeviceFigures of(DeviceEntry entry) {
        Reading<OperationRate> half = larger(entry.peak(Precision.BF16), entry.peak(Precision.FP16));
        Builder builder = builder(entry.id(), DeviceFamily.of(entry));
        builder.memory = Reading.known(entry.memory().usable(), entry.provenance());
        builder.memoryBandwidth = Reading.known(entry.memory().bandwidth(), entry.provenance());
        builder.halfRate = half.isKnown() ? half : entry.peak(Precision.FP32);
        builder.eightBitRate =
                entry.peak(Precision.FP8).isKnown() ? entry.peak(Precision.FP8) : entry.peak(Precision.INT8);
        builder.fourBitRate = entry.peak(Precision.FP4);
        builder.powerLimit = entry.tdp();
        builder.linkRate = entry.link().oneWay();
        builder.linkKind = entry.link().kind();
        builder.domain = entry.link().domain().find().orElse(1L);
        builder.leastFloatBits = entry.peak(Precision.FP4).isKnown()
                ? 4
                : entry.peak(Precision.FP8).isKnown() ? 8 : 16;
        builder.computeCapability = entry.signature().computeCapability();
        // GeForce cards sum in 32 bits at half their rate; professional ones do not.
        boolean isGeForce = entry.vendor().equals("nvidia") && entry.deviceClass() == DeviceEntry.DeviceClass.CONSUMER;
        builder.halfSumsFactor = isGeForce && half.isKnown() ? 2 : 1;
        return builder.build();
    }

    private static Reading<OperationRate> larger(Reading<OperationRate> a, Reading<OperationRate> b) {
        double first = operations(a).orElse(0.0);
        return first > 0 && first >= operations(b).orElse(0.0) ? a : b;
    }

    /// Starts with nothing known.
    ///
    /// @param id the short name in the device catalogue, or one that is not there
    public static Builder builder(String id, DeviceFamily family) {
        return new Builder(id, family);
    }

    /// The same with room for changes.
    public Builder toBuilder() {
        return new Builder(known);
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

    /// The power that it may draw.
    public Reading<Watts> powerLimit() {
        return known.powerLimit;
    }

    /// What it sends to others of its kind, one way.
    public Reading<Bandwidth> linkRate() {
        return known.linkRate;
    }

    /// The kind of that link, such as `nvlink4` or `pcie4`.
    public String linkKind() {
        return known.linkKind;
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
        return Math.min(share, known.memoryFree.find().map(Bytes::toDouble).orElse(share));
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
        return !known.linkKind.startsWith("pcie");
    }

    /// Whether all is known that a plan needs: bandwidth, memory, and a rate of 16-bit operations.
    public boolean isComplete() {
        return bandwidth > 0 && bytes > 0 && half > 0;
    }

    /// Whether devices reach each other over a network between machines.
    public boolean isNetworked() {
        return known.linkKind.equals(NETWORK);
    }

    /// The same device, joined with others over a network between machines.
    ///
    /// @param bytesPerSecond what each sends
    public DeviceFigures overNetwork(double bytesPerSecond) {
        return toBuilder()
                .link(Reading.known(new Bandwidth(bytesPerSecond / GIGA), NETWORK_SHARE), NETWORK, known.domain)
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
        UnaryOperator<Reading<OperationRate>> faster = rate -> rate.find()
                .map(one -> Reading.known(new OperationRate(one.teraPerSecond() * arithmetic), source))
                .orElse(rate);
        Builder builder = toBuilder();
        builder.memoryBandwidth = known.memoryBandwidth
                .find()
                .map(one -> Reading.known(new Bandwidth(one.gigabytesPerSecond() * memory), source))
                .orElse(known.memoryBandwidth);
        builder.halfRate = faster.apply(known.halfRate);
        builder.eightBitRate = faster.apply(known.eightBitRate);
        builder.fourBitRate = faster.apply(known.fourBitRate);
        return builder.build();
    }

    private static double rate(Reading<Bandwidth> reading) {
        return reading.find().map(rate -> rate.gigabytesPerSecond() * GIGA).orElse(Double.NaN);
    }

    private static Optional<Double> operations(Reading<OperationRate> reading) {
        return reading.find().map(rate -> rate.teraPerSecond() * TERA);
    }

    /// Two devices are alike where the cost model says the same of both, wherever their figures come from.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DeviceFigures that
                && known.id.equals(that.known.id)
                && known.linkKind.equals(that.known.linkKind)
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

    /// Puts figures together. What nobody says stays unknown. Confined to one thread.
    public static final class Builder {
        private final String id;
        private final DeviceFamily family;
        private Reading<Bytes> memory = notStated();
        private Reading<Bytes> memoryFree = notStated();
        private Reading<Bandwidth> memoryBandwidth = notStated();
        private Reading<OperationRate> halfRate = notStated();
        private Reading<OperationRate> eightBitRate = notStated();
        private Reading<OperationRate> fourBitRate = notStated();
        private Reading<Watts> powerLimit = notStated();
        private Reading<Bandwidth> linkRate = notStated();
        private String linkKind = "";
        private long domain = 1;
        private int leastFloatBits = 16;
        private Reading<Double> computeCapability = notStated();
        private double halfSumsFactor = 1;
        private Set<String> instructions = Set.of();

        private Builder(String id, DeviceFamily family) {
            this.id = id;
            this.family = family;
        }

        private Builder(Builder from) {
            this(from.id, from.family);
            memory = from.memory;
            memoryFree = from.memoryFree;
            memoryBandwidth = from.memoryBandwidth;
            halfRate = from.halfRate;
            eightBitRate = from.eightBitRate;
            fourBitRate = from.fourBitRate;
            powerLimit = from.powerLimit;
            linkRate = from.linkRate;
            linkKind = from.linkKind;
            domain = from.domain;
            leastFloatBits = from.leastFloatBits;
            computeCapability = from.computeCapability;
            halfSumsFactor = from.halfSumsFactor;
            instructions = from.instructions;
        }

        private static <T> Reading<T> notStated() {
            return Reading.unknown(UnknownReason.NOT_STATED);
        }

        /// Memory that programs get of the whole device.
        public Builder memory(Reading<Bytes> value) {
            memory = value;
            return this;
        }

        /// What of it is free.
        public Builder memoryFree(Reading<Bytes> value) {
            memoryFree = value;
            return this;
        }

        /// The rate between the device and its memory.
        public Builder bandwidth(Reading<Bandwidth> value) {
            memoryBandwidth = value;
            return this;
        }

        /// Operations with 16-bit numbers; those with fewer bits are no faster unless somebody says.
        public Builder half(Reading<OperationRate> value) {
            halfRate = value;
            return this;
        }

        /// Bits of the smallest floating-point numbers that its units multiply.
        public Builder leastFloatBits(int bits) {
            leastFloatBits = bits;
            return this;
        }

        /// What CUDA calls its generation.
        public Builder computeCapability(Reading<Double> value) {
            computeCapability = value;
            return this;
        }

        /// Extensions of a processor's instruction set.
        public Builder instructions(Set<String> names) {
            instructions = Set.copyOf(names);
            return this;
        }

        /// The power that it may draw.
        public Builder power(Reading<Watts> value) {
            powerLimit = value;
            return this;
        }

        /// How it is joined to others of its kind.
        public Builder link(Reading<Bandwidth> rate, String kind, long devices) {
            linkRate = rate;
            linkKind = kind;
            domain = devices;
            return this;
        }

        /// The figures.
        public DeviceFigures build() {
            return new DeviceFigures(this);
        }
    }
}
