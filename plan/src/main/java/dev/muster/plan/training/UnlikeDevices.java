package dev.muster.plan.training;

import dev.muster.plan.search.DevicePool;
import dev.muster.plan.search.MixedDevice;
import dev.muster.plan.time.DeviceFigures;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// Devices of several kinds as one pool. Each takes an equal part of the work, so that all wait for the slowest and the
/// least memory counts; unlike devices reach each other through their hosts.
///
/// @since 0.1
public final class UnlikeDevices {
    private static final String LINK = "pcie";

    private UnlikeDevices() {}

    /// All of them as one pool; empty where they are of one kind, or of several makers, whose devices no framework
    /// joins.
    public static Optional<DevicePool> pool(List<DevicePool> kinds) {
        boolean isOneMaker = kinds.stream().map(UnlikeDevices::maker).distinct().count() == 1;
        if (kinds.size() < 2
                || !isOneMaker
                || kinds.stream().anyMatch(kind -> kind.lacking().isPresent())) {
            return Optional.empty();
        }
        DevicePool slowest = kinds.stream()
                .min(Comparator.comparingDouble(kind -> kind.device().half()))
                .orElseThrow();
        int count = kinds.stream().mapToInt(DevicePool::count).sum();
        double power = kinds.stream().anyMatch(kind -> kind.device().power() == 0)
                ? 0
                : kinds.stream()
                                .mapToDouble(
                                        kind -> kind.count() * kind.device().power())
                                .sum()
                        / count;
        DeviceFigures figures = new DeviceFigures(
                slowest.device().id(),
                slowest.device().family(),
                least(kinds, DeviceFigures::bandwidth),
                least(kinds, DeviceFigures::half),
                least(kinds, DeviceFigures::halfSums),
                least(kinds, DeviceFigures::eight),
                least(kinds, DeviceFigures::four),
                kinds.stream()
                        .mapToInt(kind -> kind.device().leastFloatBits())
                        .max()
                        .orElseThrow(),
                power,
                least(kinds, DeviceFigures::memory),
                kinds.stream()
                        .mapToDouble(kind ->
                                MixedDevice.of(kind.device(), kind.name()).hostLink())
                        .min()
                        .orElseThrow(),
                LINK,
                1);
        String name = kinds.stream().map(DevicePool::name).collect(Collectors.joining(" and "));
        return Optional.of(new DevicePool(figures, name, count, kinds.stream().allMatch(DevicePool::isMeasured)));
    }

    /// Those that wait for others: every kind but the slowest.
    ///
    /// @param kinds at least one
    public static List<DevicePool> waiting(List<DevicePool> kinds) {
        double slowest = least(kinds, DeviceFigures::half);
        return kinds.stream().filter(kind -> kind.device().half() > slowest).toList();
    }

    private static double least(List<DevicePool> kinds, ToDoubleFunction<DeviceFigures> figure) {
        return kinds.stream()
                .mapToDouble(kind -> figure.applyAsDouble(kind.device()))
                .min()
                .orElseThrow();
    }

    /// Labels of families begin with it.
    private static String maker(DevicePool pool) {
        String family = pool.device().family().label();
        int end = family.indexOf('-');
        return end < 0 ? family : family.substring(0, end);
    }
}
