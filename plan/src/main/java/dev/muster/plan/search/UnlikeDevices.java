// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Watts;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.PlannedDevice;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Devices of several kinds as one pool. Each takes an equal part of the work, so that all wait for the slowest and
/// the least memory counts; unlike devices reach each other through their hosts.
public final class UnlikeDevices {
    private static final double GIGA = 1e9;
    private static final Provenance DERIVED =
            Provenance.of("the devices together", Provenance.Method.DERIVED, Provenance.Confidence.STATED);

    private UnlikeDevices() {}

    /// Returns all of them as one pool; empty if they are of one kind, or of several makers, whose devices no
    /// framework joins.
    public static Optional<DevicePool> pool(List<DevicePool> kinds) {
        boolean isOneMaker = kinds.stream().map(UnlikeDevices::maker).distinct().count() == 1;
        if (kinds.size() < 2
                || !isOneMaker
                || kinds.stream().anyMatch(kind -> !kind.device().isComplete())) {
            return Optional.empty();
        }
        DevicePool slowest = kinds.stream()
                .min(Comparator.comparingDouble(kind -> kind.device().half()))
                .orElseThrow();
        int count = kinds.stream().mapToInt(DevicePool::count).sum();
        DeviceFigures figures = slowest.device().toBuilder()
                .memory(least(kinds, DeviceFigures::memorySize))
                .memoryFree(least(kinds, DeviceFigures::memoryFree))
                .bandwidth(least(kinds, DeviceFigures::memoryBandwidth))
                .leastFloatBits(kinds.stream()
                        .mapToInt(kind -> kind.device().leastFloatBits())
                        .max()
                        .orElseThrow())
                .power(meanPower(kinds, count))
                .link(slowestHostLink(kinds), DeviceFigures.Linkage.BUS, 1)
                .build();
        String name = kinds.stream().map(DevicePool::name).collect(Collectors.joining(" and "));
        boolean isMeasured = kinds.stream().allMatch(DevicePool::isMeasured);
        return Optional.of(new DevicePool(
                figures,
                name,
                count,
                1,
                isMeasured ? DevicePool.FigureBasis.MEASURED : DevicePool.FigureBasis.DATA_SHEET,
                Integer.MAX_VALUE,
                0,
                kinds.stream().flatMap(kind -> kind.members().stream()).toList()));
    }

    /// Returns the mean power; unknown if that of one kind is.
    private static Reading<Watts> meanPower(List<DevicePool> kinds, int count) {
        double sum = 0;
        for (DevicePool kind : kinds) {
            if (kind.device().power().isEmpty()) {
                return kind.device().powerLimit();
            }
            sum += kind.count() * kind.device().power().get();
        }
        return Reading.known(new Watts(sum / count), DERIVED);
    }

    private static Reading<Bandwidth> slowestHostLink(List<DevicePool> kinds) {
        double rate = kinds.stream()
                .mapToDouble(kind -> PlannedDevice.hostLink(kind.device()))
                .min()
                .orElseThrow();
        return Reading.known(new Bandwidth(rate / GIGA), DERIVED);
    }

    /// Returns the smallest of the known figures.
    private static <T extends Comparable<T>> Reading<T> least(
            List<DevicePool> kinds, Function<DeviceFigures, Reading<T>> figure) {
        Reading<T> least = figure.apply(kinds.getFirst().device());
        for (DevicePool kind : kinds) {
            Reading<T> other = figure.apply(kind.device());
            if (other.isKnown()
                    && (!least.isKnown()
                            || other.find().orElseThrow().compareTo(least.find().orElseThrow()) < 0)) {
                least = other;
            }
        }
        return least;
    }

    /// Returns the maker, with which labels of families begin.
    private static String maker(DevicePool pool) {
        String family = pool.device().family().label();
        int end = family.indexOf('-');
        return end < 0 ? family : family.substring(0, end);
    }
}
