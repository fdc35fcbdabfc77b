// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.time.Interruption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;

/// Runs of layers on unlike devices, one behind the other: the best of all ways under given costs, found by dynamic
/// programming over contiguous layers. Devices that make nothing better stay empty. Immutable.
///
/// @param ahead layers that stand before all devices
/// @param stages devices in use, in the order of the layers
/// @param seconds value of the goal
public record LayerSplit(int ahead, List<Stage> stages, double seconds) {
    /// The most sets of devices that are tried in any order: seven devices that all differ, or two kinds of ten each.
    private static final int MAX_SETS = 128;
    /// A set is the bits of a number.
    private static final int MAX_DEVICES = 30;

    /// A run of layers on a device.
    ///
    /// @param device the device
    /// @param from its first layer
    /// @param to the layer behind its last
    public record Stage(int device, int from, int to) {}

    /// The goal of a split.
    public enum Goal {
        /// The least sum over all stages: one sequence passes them one after the other.
        SUM(Double::sum),
        /// The least time of the slowest stage: many sequences follow each other through all of them.
        SLOWEST(Math::max);

        private final DoubleBinaryOperator join;

        Goal(DoubleBinaryOperator join) {
            this.join = join;
        }

        double join(double before, double stage) {
            return join.applyAsDouble(before, stage);
        }
    }

    /// Copies the stages.
    public LayerSplit {
        stages = List.copyOf(stages);
    }

    /// Returns the best split over devices in their order; empty if nothing fits.
    public static Optional<LayerSplit> inOrder(StageCosts costs, Goal goal) {
        Table before = Table.start(costs);
        for (int device = 0; device < costs.devices(); device++) {
            Table with = before.replica();
            with.add(before, device, costs, goal);
            before = with;
        }
        return before.split(costs);
    }

    /// Returns the best split over devices in any order, one for each number of devices that can hold everything,
    /// fewest first.
    ///
    /// @throws IllegalArgumentException unless [#canTryEveryOrder(StageCosts)]
    public static List<LayerSplit> inAnyOrder(StageCosts costs, Goal goal) {
        if (!canTryEveryOrder(costs)) {
            throw new IllegalArgumentException("too many unlike devices to try every order of them");
        }
        // By the bits of the devices in a set: a set comes after all sets that it grows from.
        NavigableMap<Integer, Table> tables = new TreeMap<>(Map.of(0, Table.start(costs)));
        Map<Integer, LayerSplit> best = new TreeMap<>();
        for (var next = tables.pollFirstEntry(); next != null; next = tables.pollFirstEntry()) {
            Interruption.check();
            int set = next.getKey();
            Table table = next.getValue();
            int count = Integer.bitCount(set);
            table.split(costs).ifPresent(split -> best.merge(count, split, LayerSplit::better));
            for (int device = 0; device < costs.devices(); device++) {
                if (isNext(set, device, costs)) {
                    tables.computeIfAbsent(set | (1 << device), _ -> Table.empty(costs))
                            .add(table, device, costs, goal);
                }
            }
        }
        return List.copyOf(best.values());
    }

    private LayerSplit better(LayerSplit other) {
        return other.seconds < seconds ? other : this;
    }

    /// Reports whether there are few enough devices, or enough equal ones, that every order of them can be tried.
    public static boolean canTryEveryOrder(StageCosts costs) {
        return costs.devices() <= MAX_DEVICES && countSets(costs) <= MAX_SETS;
    }

    /// Returns the number of sets of devices that differ in more than the choice among equal devices.
    private static long countSets(StageCosts costs) {
        long sets = 1;
        for (int device = 0; device < costs.devices(); device++) {
            int alike = 1;
            boolean isLast = true;
            for (int other = 0; other < costs.devices(); other++) {
                boolean same = other != device && costs.kind(other) == costs.kind(device);
                alike += same ? 1 : 0;
                isLast &= !same || other < device;
            }
            sets = Math.min(Integer.MAX_VALUE, isLast ? sets * (alike + 1) : sets);
        }
        return sets;
    }

    /// Reports whether a device may come next: of equal devices the first free one, since the choice makes no
    /// difference.
    private static boolean isNext(int set, int device, StageCosts costs) {
        if ((set & (1 << device)) != 0) {
            return false;
        }
        for (int other = 0; other < device; other++) {
            if (costs.kind(other) == costs.kind(device) && (set & (1 << other)) == 0) {
                return false;
            }
        }
        return true;
    }

    /// The least cost of placing each number of first layers, with the placement.
    private static final class Table {
        private final double[] seconds;
        private final Link[] links;

        private Table(double[] seconds, Link[] links) {
            this.seconds = seconds;
            this.links = links;
        }

        static Table start(StageCosts costs) {
            Table table = empty(costs);
            for (int layers = 0; layers <= costs.layers(); layers++) {
                table.seconds[layers] = costs.ahead(layers);
                table.links[layers] = new Link.Ahead(layers);
            }
            return table;
        }

        static Table empty(StageCosts costs) {
            double[] seconds = new double[costs.layers() + 1];
            Arrays.fill(seconds, Double.POSITIVE_INFINITY);
            return new Table(seconds, new Link[costs.layers() + 1]);
        }

        Table replica() {
            return new Table(seconds.clone(), links.clone());
        }

        /// Puts a device behind the placement of another table.
        void add(Table before, int device, StageCosts costs, Goal goal) {
            for (int from = 0; from < costs.layers(); from++) {
                if (before.seconds[from] == Double.POSITIVE_INFINITY) {
                    continue;
                }
                for (int to = from + 1; to <= costs.layers() && costs.fits(device, from, to); to++) {
                    double joined = goal.join(before.seconds[from], costs.seconds(device, from, to));
                    if (joined < seconds[to]) {
                        seconds[to] = joined;
                        links[to] = new Link.Behind(new Stage(device, from, to), before.links[from]);
                    }
                }
            }
        }

        Optional<LayerSplit> split(StageCosts costs) {
            double least = seconds[costs.layers()];
            return least == Double.POSITIVE_INFINITY
                    ? Optional.empty()
                    : Optional.of(links[costs.layers()].split(least));
        }
    }

    /// A placement of layers, the last stage first.
    private sealed interface Link {
        record Ahead(int layers) implements Link {}

        record Behind(Stage stage, Link before) implements Link {}

        default LayerSplit split(double seconds) {
            List<Stage> stages = new ArrayList<>();
            Link link = this;
            while (link instanceof Behind(Stage stage, Link before)) {
                stages.addFirst(stage);
                link = before;
            }
            return new LayerSplit(link instanceof Ahead(int layers) ? layers : 0, stages, seconds);
        }
    }
}
