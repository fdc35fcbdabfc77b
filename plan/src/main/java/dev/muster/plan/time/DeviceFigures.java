package dev.muster.plan.time;

import dev.muster.core.unit.OperationRate;
import dev.muster.core.unit.Watts;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.catalogue.Precision;

/// What arithmetic needs of a device, in bytes, operations and seconds. What the data sheet does not say is 0, and
/// whoever needs it asks first.
///
/// @param id the short name in the device catalogue
/// @param family its kin
/// @param bandwidth bytes per second between the device and its memory
/// @param half operations per second with 16-bit numbers, summed in 32 bits
/// @param halfSums operations per second with 16-bit numbers, summed in 16 bits: twice as many on GeForce
/// @param eight operations per second with 8-bit numbers; that of 16 bits where it has no units for them
/// @param four operations per second with 4-bit numbers; that of 8 bits where it has no units for them
/// @param leastFloatBits bits of the smallest floating-point numbers that its units multiply: 4, 8 or 16
/// @param power watts that it may draw
/// @param memory bytes that programs get
/// @param link bytes per second that it sends to others of its kind
/// @param linkKind the kind of that link, such as `nvlink4` or `pcie4`
/// @param domain how many devices one fast fabric joins
/// @since 0.1
public record DeviceFigures(
        String id,
        DeviceFamily family,
        double bandwidth,
        double half,
        double halfSums,
        double eight,
        double four,
        int leastFloatBits,
        double power,
        double memory,
        double link,
        String linkKind,
        long domain) {
    /// The kind of link that leaves the machine.
    private static final String NETWORK = "network";

    private static final double TERA = 1e12;
    private static final double GIGA = 1e9;

    /// The figures of a row of the device catalogue.
    public static DeviceFigures of(DeviceEntry entry) {
        double half = Math.max(peak(entry, Precision.BF16), peak(entry, Precision.FP16));
        double eight = orElse(orElse(peak(entry, Precision.FP8), peak(entry, Precision.INT8)), half);
        return new DeviceFigures(
                entry.id(),
                DeviceFamily.of(entry),
                entry.memory().bandwidth().gigabytesPerSecond() * GIGA,
                orElse(half, peak(entry, Precision.FP32)),
                isGeForce(entry) ? 2 * half : orElse(half, peak(entry, Precision.FP32)),
                eight,
                orElse(peak(entry, Precision.FP4), eight),
                leastFloatBits(entry),
                entry.tdp().find().map(Watts::value).orElse(0.0),
                entry.memory().usable().toDouble(),
                entry.link()
                        .oneWay()
                        .find()
                        .map(rate -> rate.gigabytesPerSecond() * GIGA)
                        .orElse(0.0),
                entry.link().kind(),
                entry.link().domain().find().orElse(1L));
    }

    /// Whether devices reach each other without taking bandwidth from others.
    public boolean isSwitched() {
        return !linkKind.startsWith("pcie");
    }

    /// Whether all is known that a plan needs: bandwidth, memory, and a rate of 16-bit operations.
    public boolean isComplete() {
        return bandwidth > 0 && memory > 0 && half > 0;
    }

    /// Whether devices reach each other over a network between machines.
    public boolean isNetworked() {
        return linkKind.equals(NETWORK);
    }

    /// The same device, joined with others over a network between machines.
    ///
    /// @param bytesPerSecond what each sends
    public DeviceFigures overNetwork(double bytesPerSecond) {
        return withLink(bytesPerSecond, NETWORK);
    }

    /// GeForce cards sum in 32 bits at half their rate; professional ones do not.
    private static boolean isGeForce(DeviceEntry entry) {
        return entry.vendor().equals("nvidia") && entry.deviceClass() == DeviceEntry.DeviceClass.CONSUMER;
    }

    /// The same device, so many times as fast as its data sheet says.
    ///
    /// @param memory how many times the bandwidth
    /// @param arithmetic how many times the rates of operations
    public DeviceFigures times(double memory, double arithmetic) {
        return new DeviceFigures(
                id,
                family,
                bandwidth * memory,
                half * arithmetic,
                halfSums * arithmetic,
                eight * arithmetic,
                four * arithmetic,
                leastFloatBits,
                power,
                this.memory,
                link,
                linkKind,
                domain);
    }

    /// The same device with other memory.
    public DeviceFigures withMemory(double bytes) {
        return new DeviceFigures(
                id,
                family,
                bandwidth,
                half,
                halfSums,
                eight,
                four,
                leastFloatBits,
                power,
                bytes,
                link,
                linkKind,
                domain);
    }

    /// The same device, joined with others in another way.
    public DeviceFigures withLink(double bytesPerSecond, String kind) {
        return new DeviceFigures(
                id,
                family,
                bandwidth,
                half,
                halfSums,
                eight,
                four,
                leastFloatBits,
                power,
                memory,
                bytesPerSecond,
                kind,
                domain);
    }

    private static int leastFloatBits(DeviceEntry entry) {
        if (peak(entry, Precision.FP4) > 0) {
            return 4;
        }
        return peak(entry, Precision.FP8) > 0 ? 8 : 16;
    }

    private static double orElse(double value, double other) {
        return value > 0 ? value : other;
    }

    private static double peak(DeviceEntry entry, Precision precision) {
        return entry.peak(precision).find().map(OperationRate::teraPerSecond).orElse(0.0) * TERA;
    }
}
