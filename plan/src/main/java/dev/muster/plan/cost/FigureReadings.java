// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.OperationRate;
import dev.muster.core.unit.Watts;
import dev.muster.plan.cost.DeviceFigures.Linkage;
import java.util.Set;

/// The figures of a device, each with its source. Filled by one thread and then left as it is.
final class FigureReadings {
    private static final double GIGA = 1e9;
    private static final double TERA = 1e12;

    final String id;
    final DeviceFamily family;
    Reading<Bytes> memory = notStated();
    Reading<Bytes> memoryFree = notStated();
    Reading<Bandwidth> memoryBandwidth = notStated();
    Reading<OperationRate> halfRate = notStated();
    Reading<OperationRate> eightBitRate = notStated();
    Reading<OperationRate> fourBitRate = notStated();
    Reading<Watts> powerLimit = notStated();
    Reading<Bandwidth> linkRate = notStated();
    Linkage linkage = Linkage.NONE;
    long domain = 1;
    int leastFloatBits = 16;
    Reading<Double> computeCapability = notStated();
    double halfSumsFactor = 1;
    Set<String> instructions = Set.of();
    Reading<MeshCalibration> collectives = notStated();

    FigureReadings(String id, DeviceFamily family) {
        this.id = id;
        this.family = family;
    }

    FigureReadings(FigureReadings from) {
        this(from.id, from.family);
        memory = from.memory;
        memoryFree = from.memoryFree;
        memoryBandwidth = from.memoryBandwidth;
        halfRate = from.halfRate;
        eightBitRate = from.eightBitRate;
        fourBitRate = from.fourBitRate;
        powerLimit = from.powerLimit;
        linkRate = from.linkRate;
        linkage = from.linkage;
        domain = from.domain;
        leastFloatBits = from.leastFloatBits;
        computeCapability = from.computeCapability;
        halfSumsFactor = from.halfSumsFactor;
        instructions = from.instructions;
        collectives = from.collectives;
    }

    /// Returns a copy with scaled speeds, from a source.
    FigureReadings times(double memoryFactor, double arithmetic, Provenance source) {
        FigureReadings faster = new FigureReadings(this);
        if (memoryBandwidth instanceof Reading.Known<Bandwidth>(Bandwidth rate, var _)) {
            faster.memoryBandwidth = Reading.known(new Bandwidth(rate.gigabytesPerSecond() * memoryFactor), source);
        }
        faster.halfRate = times(halfRate, arithmetic, source);
        faster.eightBitRate = times(eightBitRate, arithmetic, source);
        faster.fourBitRate = times(fourBitRate, arithmetic, source);
        return faster;
    }

    private static Reading<OperationRate> times(Reading<OperationRate> one, double factor, Provenance source) {
        return one instanceof Reading.Known<OperationRate>(OperationRate rate, var _)
                ? Reading.known(new OperationRate(rate.teraPerSecond() * factor), source)
                : one;
    }

    /// Returns the bytes per second; NaN if unknown.
    static double rate(Reading<Bandwidth> reading) {
        return reading instanceof Reading.Known<Bandwidth>(Bandwidth rate, var _)
                ? rate.gigabytesPerSecond() * GIGA
                : Double.NaN;
    }

    /// Returns the operations per second; NaN if unknown.
    static double operations(Reading<OperationRate> reading) {
        return reading instanceof Reading.Known<OperationRate>(OperationRate rate, var _)
                ? rate.teraPerSecond() * TERA
                : Double.NaN;
    }

    private static <T> Reading<T> notStated() {
        return Reading.unknown(UnknownReason.NOT_STATED);
    }
}
