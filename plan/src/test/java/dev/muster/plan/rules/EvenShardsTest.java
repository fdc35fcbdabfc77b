// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorType;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class EvenShardsTest {
    private static final Bytes PART = Bytes.ofGib(7);

    @Test
    void aPieceForEachDeviceInTheirOrder() {
        List<AcceleratorType> devices = gpus(3);

        assertThat(ShardingPlan.Shard.listEven(devices, 10, PART))
                .containsExactly(
                        new ShardingPlan.Shard(0, 0, 3, devices.get(0), PART),
                        new ShardingPlan.Shard(1, 4, 7, devices.get(1), PART),
                        new ShardingPlan.Shard(2, 8, 9, devices.get(2), PART));
    }

    @Test
    void isTheSameValueAsAListOfItsPieces() {
        List<ShardingPlan.Shard> shards = ShardingPlan.Shard.listEven(gpus(12), 40, PART);
        List<ShardingPlan.Shard> copy = List.copyOf(shards);

        assertThat(shards).isEqualTo(copy).hasSameHashCodeAs(copy).hasToString(copy.toString());
        assertThat(copy).isEqualTo(shards);
        assertThat(plan(shards)).isEqualTo(plan(copy)).hasSameHashCodeAs(plan(copy));
    }

    @Test
    void nobodyCanChangeIt() {
        List<AcceleratorType> devices = new ArrayList<>(gpus(2));
        List<ShardingPlan.Shard> shards = ShardingPlan.Shard.listEven(devices, 8, PART);
        List<ShardingPlan.Shard> before = List.copyOf(shards);
        devices.removeLast();

        assertThat(shards).isEqualTo(before);
        assertThatThrownBy(shards::removeLast).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> shards.set(0, before.getFirst())).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> shards.add(before.getFirst())).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void withoutDevicesThereAreNoPieces() {
        assertThat(ShardingPlan.Shard.listEven(List.of(), 8, PART)).isEmpty();
    }

    @Test
    void hasAsManyLayersAsCanBeTold() {
        long most = 0xffff_ffffL;

        assertThat(ShardingPlan.Shard.listEven(gpus(2), most, PART).getLast().lastLayer())
                .isEqualTo(most - 1);
        assertThatThrownBy(() -> ShardingPlan.Shard.listEven(gpus(2), most + 1, PART))
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("more than 2^32-1 layers");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShardingPlan.Shard.listEven(gpus(2), 0, PART))
                .withMessage("a model has at least one layer, not 0");
    }

    @Test
    void placesThatAreNotThereAreRefused() {
        List<ShardingPlan.Shard> shards = ShardingPlan.Shard.listEven(gpus(2), 8, PART);

        assertThatThrownBy(() -> shards.get(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> shards.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static ShardingPlan plan(List<ShardingPlan.Shard> shards) {
        return new ShardingPlan(
                shards, ShardingStrategy.pipelineParallel(shards.size()), Bytes.ofGib(80), OptionalDouble.empty());
    }

    private static List<AcceleratorType> gpus(int count) {
        List<AcceleratorType> devices = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            devices.add(AcceleratorType.of(AcceleratorKind.CUDA_GPU, i));
        }
        return List.copyOf(devices);
    }
}
