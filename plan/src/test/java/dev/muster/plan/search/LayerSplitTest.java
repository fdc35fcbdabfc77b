// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.plan.search.LayerSplit.Goal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class LayerSplitTest {
    private static final Random RANDOM = new Random(7);
    private static final double CLOSE = 1e-12;

    @Test
    void oneSequenceFillsTheFastestDeviceFirst() {
        Chain chain = new Chain(
                new double[] {1, 1, 1, 1, 1, 1},
                new double[] {1, 2},
                new double[] {4, 100},
                new double[] {1, 1, 1, 1, 1, 1},
                0,
                0,
                0,
                0);
        assertThat(LayerSplit.inOrder(chain, Goal.SUM).orElseThrow())
                .isEqualTo(new LayerSplit(
                        0, List.of(new LayerSplit.Stage(0, 0, 4), new LayerSplit.Stage(1, 4, 6)), 4 + 2 * 2));
        assertThat(LayerSplit.inOrder(chain, Goal.SLOWEST).orElseThrow())
                .isEqualTo(new LayerSplit(0, List.of(new LayerSplit.Stage(0, 0, 4), new LayerSplit.Stage(1, 4, 6)), 4));
    }

    @Test
    void whatFitsNowhereIsNoSplit() {
        Chain chain = new Chain(
                new double[] {1, 1}, new double[] {1, 1}, new double[] {2, 2}, new double[] {1, 3}, 0, 0, 0, 0);
        assertThat(LayerSplit.inOrder(chain, Goal.SUM)).isEmpty();
        assertThat(LayerSplit.inAnyOrder(chain, Goal.SUM)).isEmpty();
    }

    @Test
    void tooManyUnlikeDevicesAreRefused() {
        double[] eight = {1, 2, 3, 4, 5, 6, 7, 8};
        Chain chain = new Chain(eight, eight, eight, eight, 0, 0, 0, 0);
        assertThat(LayerSplit.canTryEveryOrder(chain)).isFalse();
        assertThatThrownBy(() -> LayerSplit.inAnyOrder(chain, Goal.SUM)).isInstanceOf(IllegalArgumentException.class);
    }

    @RepeatedTest(300)
    void aGivenOrderIsAsGoodAsTheBestOfAllCuts() {
        Chain chain = Chain.any();
        for (Goal goal : Goal.values()) {
            assertSame(LayerSplit.inOrder(chain, goal), bestCut(chain, identity(chain), goal));
            LayerSplit.inOrder(chain, goal).ifPresent(split -> assertPossible(split, chain, goal));
        }
    }

    @RepeatedTest(200)
    void aFreeOrderIsAsGoodAsTheBestOfAllOrders() {
        Chain chain = Chain.any();
        for (Goal goal : Goal.values()) {
            List<LayerSplit> splits = LayerSplit.inAnyOrder(chain, goal);
            splits.forEach(split -> assertPossible(split, chain, goal));
            double least = Double.POSITIVE_INFINITY;
            for (int[] order : orders(identity(chain))) {
                least = Math.min(least, bestCut(chain, order, goal));
            }
            assertSame(splits.stream().min((a, b) -> Double.compare(a.seconds(), b.seconds())), least);
        }
    }

    @RepeatedTest(100)
    void moreMemoryIsNeverWorse() {
        Chain chain = Chain.any();
        Chain larger = chain.withMemory(RANDOM.nextInt(chain.devices()), RANDOM.nextDouble(1, 4));
        for (Goal goal : Goal.values()) {
            Optional<LayerSplit> before = LayerSplit.inOrder(chain, goal);
            Optional<LayerSplit> after = LayerSplit.inOrder(larger, goal);
            before.ifPresent(split -> assertThat(after)
                    .hasValueSatisfying(
                            other -> assertThat(other.seconds()).isLessThanOrEqualTo(split.seconds() + CLOSE)));
        }
    }

    @RepeatedTest(100)
    void equalDevicesMayChangePlaces() {
        Chain chain = Chain.any();
        Chain equal = chain.withAlike(0, chain.devices() - 1);
        Chain swapped = equal.swapped(0, equal.devices() - 1);
        for (Goal goal : Goal.values()) {
            assertThat(LayerSplit.inOrder(swapped, goal)).isEqualTo(LayerSplit.inOrder(equal, goal));
            assertThat(LayerSplit.inAnyOrder(swapped, goal)).isEqualTo(LayerSplit.inAnyOrder(equal, goal));
        }
    }

    private static void assertSame(Optional<LayerSplit> split, double least) {
        if (least == Double.POSITIVE_INFINITY) {
            assertThat(split).isEmpty();
        } else {
            assertThat(split.orElseThrow().seconds()).isCloseTo(least, within(CLOSE * least));
        }
    }

    /// Layers come in order, none twice, and every device has room for its own.
    private static void assertPossible(LayerSplit split, Chain chain, Goal goal) {
        int next = split.ahead();
        double seconds = chain.ahead(split.ahead());
        List<Integer> used = new ArrayList<>();
        for (LayerSplit.Stage stage : split.stages()) {
            assertThat(stage.from()).isEqualTo(next);
            assertThat(chain.fits(stage.device(), stage.from(), stage.to())).isTrue();
            seconds = goal.join(seconds, chain.seconds(stage.device(), stage.from(), stage.to()));
            used.add(stage.device());
            next = stage.to();
        }
        assertThat(next).isEqualTo(chain.layers());
        assertThat(used).doesNotHaveDuplicates();
        assertThat(split.seconds()).isCloseTo(seconds, within(CLOSE));
    }

    /// Tries every composition of the layers into runs, empty ones among them.
    private static double bestCut(Chain chain, int[] order, Goal goal) {
        double least = Double.POSITIVE_INFINITY;
        for (int ahead = 0; ahead <= chain.layers(); ahead++) {
            least = Math.min(least, bestCut(chain, order, 0, ahead, chain.ahead(ahead), goal));
        }
        return least;
    }

    private static double bestCut(Chain chain, int[] order, int place, int from, double before, Goal goal) {
        if (place == order.length) {
            return from == chain.layers() ? before : Double.POSITIVE_INFINITY;
        }
        double least = bestCut(chain, order, place + 1, from, before, goal);
        for (int to = from + 1; to <= chain.layers(); to++) {
            if (chain.fits(order[place], from, to)) {
                double joined = goal.join(before, chain.seconds(order[place], from, to));
                least = Math.min(least, bestCut(chain, order, place + 1, to, joined, goal));
            }
        }
        return least;
    }

    private static int[] identity(Chain chain) {
        int[] order = new int[chain.devices()];
        Arrays.setAll(order, device -> device);
        return order;
    }

    private static List<int[]> orders(int[] devices) {
        List<int[]> orders = new ArrayList<>();
        if (devices.length == 0) {
            orders.add(devices);
        }
        for (int first = 0; first < devices.length; first++) {
            int chosen = first;
            int[] rest = Arrays.stream(devices)
                    .filter(device -> device != devices[chosen])
                    .toArray();
            for (int[] order : orders(rest)) {
                int[] whole = new int[devices.length];
                whole[0] = devices[first];
                System.arraycopy(order, 0, whole, 1, order.length);
                orders.add(whole);
            }
        }
        return orders;
    }

    /// Layers of unlike size and time on devices of unlike speed and memory, with something more on the first and the
    /// last, and perhaps a slow host before all of them.
    private static final class Chain implements StageCosts {
        private final double[] work;
        private final double[] slowness;
        private final double[] memory;
        private final double[] size;
        private final double onFirst;
        private final double onLast;
        private final double hop;
        private final int hostLayers;

        Chain(
                double[] work,
                double[] slowness,
                double[] memory,
                double[] size,
                double onFirst,
                double onLast,
                double hop,
                int hostLayers) {
            this.work = work;
            this.slowness = slowness;
            this.memory = memory;
            this.size = size;
            this.onFirst = onFirst;
            this.onLast = onLast;
            this.hop = hop;
            this.hostLayers = hostLayers;
        }

        static Chain any() {
            int layers = RANDOM.nextInt(1, 9);
            int devices = RANDOM.nextInt(1, 5);
            double[] speeds = RANDOM.doubles(devices, 1, 5).toArray();
            double[] memory =
                    RANDOM.doubles(devices, 0, 1.5 * layers / devices + 2).toArray();
            if (RANDOM.nextBoolean()) {
                // Some machines have cards of the same kind.
                speeds[devices - 1] = speeds[0];
                memory[devices - 1] = memory[0];
            }
            return new Chain(
                    RANDOM.doubles(layers, 0.1, 2).toArray(),
                    speeds,
                    memory,
                    RANDOM.doubles(layers, 0.1, 2).toArray(),
                    RANDOM.nextDouble(0.5),
                    RANDOM.nextDouble(0.5),
                    RANDOM.nextDouble(0.3),
                    RANDOM.nextInt(3));
        }

        Chain withMemory(int device, double factor) {
            double[] more = memory.clone();
            more[device] *= factor;
            return new Chain(work, slowness, more, size, onFirst, onLast, hop, hostLayers);
        }

        Chain withAlike(int from, int to) {
            double[] speeds = slowness.clone();
            double[] room = memory.clone();
            speeds[to] = speeds[from];
            room[to] = room[from];
            return new Chain(work, speeds, room, size, onFirst, onLast, hop, hostLayers);
        }

        Chain swapped(int one, int other) {
            double[] speeds = slowness.clone();
            double[] room = memory.clone();
            speeds[one] = slowness[other];
            speeds[other] = slowness[one];
            room[one] = memory[other];
            room[other] = memory[one];
            return new Chain(work, speeds, room, size, onFirst, onLast, hop, hostLayers);
        }

        @Override
        public int layers() {
            return work.length;
        }

        @Override
        public int devices() {
            return slowness.length;
        }

        @Override
        public int kind(int device) {
            for (int other = 0; other < device; other++) {
                if (slowness[other] == slowness[device] && memory[other] == memory[device]) {
                    return other;
                }
            }
            return device;
        }

        @Override
        public double seconds(int device, int from, int to) {
            return slowness[device] * Arrays.stream(work, from, to).sum() + (from == 0 ? 0 : hop);
        }

        @Override
        public double bytes(int device, int from, int to) {
            return Arrays.stream(size, from, to).sum() + (from == 0 ? onFirst : 0) + (to == layers() ? onLast : 0);
        }

        @Override
        public double capacity(int device) {
            return memory[device];
        }

        @Override
        public double ahead(int layers) {
            return layers > hostLayers || layers > layers()
                    ? Double.POSITIVE_INFINITY
                    : 10 * Arrays.stream(work, 0, layers).sum();
        }
    }
}
