// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Interconnect;
import dev.muster.core.Provenance;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.Reading;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TpuVersion;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardingRuleTest {
    private static final long BILLION = 1_000_000_000;

    private static AcceleratorProfile cpu(long gib) {
        return AcceleratorProfile.cpu(Bytes.ofGib(gib));
    }

    private static List<AcceleratorProfile> gpus(int count, long gib) {
        List<AcceleratorProfile> profiles = new ArrayList<>(List.of(cpu(64)));
        for (int i = 0; i < count; i++) {
            profiles.add(AcceleratorProfile.cuda(i, Bytes.ofGib(gib)));
        }
        return profiles;
    }

    private static ShardingPlan plan(long parameters, QuantizationLevel level, List<AcceleratorProfile> profiles) {
        return RulePlanner.of(AcceleratorRegistry.of(profiles)).plan(parameters, level);
    }

    private static AcceleratorRegistry joined(
            Interconnect.InterconnectKind kind, double gigabytes, List<AcceleratorProfile> all) {
        Interconnect link = new Interconnect(
                kind, "link", Reading.known(new Bandwidth(gigabytes), Provenance.GIVEN), Reading.notProbed());
        return new AcceleratorRegistry(
                AcceleratorRegistry.REFERENCE_SCHEMA,
                all,
                List.of(),
                SystemIo.of(List.of(link), List.of(), Reading.notProbed()),
                TopologyGraph.EMPTY,
                Reading.notProbed());
    }

    @Test
    void withoutDevicesThereIsNothingToPlan() {
        ShardingPlan plan = plan(7 * BILLION, QuantizationLevel.FLOAT16, List.of());

        assertThat(plan.strategy()).isEqualTo(ShardingStrategy.dataParallel(0));
        assertThat(plan.display()).isEqualTo("Strategy: Data Parallel (0 replicas)\nTotal memory: 0.0 GB\n");
        assertThat(plan.tokensPerSecond()).isEmpty();
    }

    @Test
    void theBestDeviceTakesWhatItHolds() {
        ShardingPlan plan = plan(7 * BILLION, QuantizationLevel.FLOAT16, gpus(1, 80));

        assertThat(plan.strategy()).isEqualTo(ShardingStrategy.NONE);
        assertThat(plan.tokensPerSecond()).isEqualTo(OptionalDouble.of(5.7142857142857135));
        assertThat(plan.display()).endsWith("Est. throughput: 6 tok/s\nDevice: CUDA GPU (device 0)\n");
    }

    @Test
    void ofEqualDevicesTheLastIsTheBest() {
        List<AcceleratorProfile> profiles =
                List.of(AcceleratorProfile.cuda(0, Bytes.ofGib(80)), AcceleratorProfile.cuda(1, Bytes.ofGib(8)));

        assertThat(plan(70 * BILLION, QuantizationLevel.INT8, profiles).strategy())
                .isEqualTo(ShardingStrategy.pipelineParallel(2));
    }

    @Test
    void slowFabricsSplitByLayers() {
        ShardingPlan plan = plan(7 * BILLION, QuantizationLevel.FLOAT16, gpus(2, 8));

        assertThat(plan.display()).isEqualTo("""
                Strategy: Pipeline Parallel (2 stages)
                Total memory: 15.6 GB
                Est. throughput: 52 tok/s
                Shards:
                  [0] CUDA GPU (device 0) — layers 0-13 (7.8 GB)
                  [1] CUDA GPU (device 1) — layers 14-27 (7.8 GB)
                """);
        assertThat(ReferencePlanDocument.write(plan))
                .isEqualTo("{\"shards\":[{\"shard_id\":0,\"layer_range\":[0,13],\"device\":{\"CudaGpu\":"
                        + "{\"device_id\":0}},\"memory_bytes\":8400000000},{\"shard_id\":1,\"layer_range\":[14,27],"
                        + "\"device\":{\"CudaGpu\":{\"device_id\":1}},\"memory_bytes\":8400000000}],\"strategy\":"
                        + "{\"PipelineParallel\":{\"num_stages\":2}},\"total_memory_bytes\":16800000000,"
                        + "\"estimated_tokens_per_sec\":52.0}");
    }

    @ParameterizedTest
    @CsvSource({
        "NVSWITCH, 900, true, 288",
        "NVLINK, 150, true, 280",
        "NVLINK, 100, false, 136",
        "NVLINK, 600, true, 288",
        "INFINIBAND, 150, true, 280",
        "PCIE, 150, false, 104"
    })
    void fastFabricsSplitByTensors(Interconnect.InterconnectKind kind, double rate, boolean byTensors, double tokens) {
        ShardingPlan plan =
                RulePlanner.of(joined(kind, rate, gpus(4, 80))).plan(70 * BILLION, QuantizationLevel.BFLOAT16);

        assertThat(plan.strategy())
                .isEqualTo(byTensors ? ShardingStrategy.tensorParallel(4) : ShardingStrategy.pipelineParallel(4));
        assertThat(plan.tokensPerSecond()).isEqualTo(OptionalDouble.of(tokens));
    }

    @Test
    void moreThanEightWithoutASwitchSplitByLayers() {
        AcceleratorRegistry nine = joined(Interconnect.InterconnectKind.NVLINK, 600, gpus(9, 80));

        assertThat(RulePlanner.of(nine)
                        .plan(70 * BILLION, QuantizationLevel.BFLOAT16)
                        .strategy())
                .isEqualTo(ShardingStrategy.pipelineParallel(9));
    }

    @Test
    void tpusSplitByChips() {
        List<AcceleratorProfile> profiles = new ArrayList<>(List.of(cpu(16)));
        for (int i = 0; i < 4; i++) {
            profiles.add(AcceleratorProfile.tpu(i, 1, TpuVersion.V5P));
        }
        ShardingPlan plan = plan(70 * BILLION, QuantizationLevel.BFLOAT16, profiles);

        assertThat(plan.strategy()).isEqualTo(ShardingStrategy.tensorParallel(4));
        assertThat(plan.tokensPerSecond()).isEqualTo(OptionalDouble.of(560));
        assertThat(plan.shards()).extracting(ShardingPlan.Shard::memory).containsOnly(Bytes.of(42_000_000_000L));
    }

    @Test
    void whatFitsNowhereIsPutOnTheCpu() {
        ShardingPlan plan = plan(500 * BILLION, QuantizationLevel.NONE, gpus(1, 24));

        assertThat(plan.shards()).extracting(ShardingPlan.Shard::device).containsExactly(AcceleratorType.cpu());
        assertThat(plan.fitsInMemory(AcceleratorRegistry.of(gpus(1, 24)))).isFalse();
    }

    @Test
    void neighboursAreNextToEachOther() {
        List<Reading<Long>> nodes = List.of(
                Reading.known(1L, Provenance.GIVEN),
                Reading.notProbed(),
                Reading.known(0L, Provenance.GIVEN),
                Reading.known(1L, Provenance.GIVEN));
        List<AcceleratorProfile> profiles = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            profiles.add(AcceleratorProfile.cuda(i, Bytes.ofGib(80)).toBuilder()
                    .with(DeviceFact.NUMA_NODE, nodes.get(i))
                    .build());
        }

        assertThat(plan(70 * BILLION, QuantizationLevel.BFLOAT16, profiles).shards())
                .extracting(shard -> shard.device().deviceId())
                .containsExactly(2L, 0L, 3L, 1L);
    }

    @ParameterizedTest
    @CsvSource({
        "28, 3, 0-9 10-19 20-27",
        "10, 4, 0-2 3-5 6-8 9-9",
        "9, 4, 0-2 3-5 6-8 8-8",
        "1, 4, 0-0 0-0 0-0 0-0",
        "3, 8, 0-0 1-1 2-2 2-2 2-2 2-2 2-2 2-2"
    })
    void layersAreDealtOutAndNeverPassTheLast(long layers, int stages, String ranges) {
        long parameters = layers * 250_000_000;
        long memory = MemoryRule.estimate(parameters, QuantizationLevel.FLOAT16).unsigned() / stages + 1;
        List<AcceleratorProfile> profiles = new ArrayList<>();
        for (int i = 0; i < stages; i++) {
            profiles.add(AcceleratorProfile.cuda(i, Bytes.of(memory)));
        }

        assertThat(plan(parameters, QuantizationLevel.FLOAT16, profiles).shards())
                .extracting(shard -> shard.firstLayer() + "-" + shard.lastLayer())
                .containsExactly(ranges.split(" "));
    }

    @Test
    void anyPlanHoldsTheWholeModelAndReadsBackTheSame() {
        Random random = new Random(42);
        for (int i = 0; i < 2000; i++) {
            AcceleratorRegistry registry = joined(
                    Interconnect.InterconnectKind.NVLINK,
                    random.nextInt(300),
                    gpus(random.nextInt(12), 8 + random.nextInt(80)));
            QuantizationLevel level = QuantizationLevel.ofBits(4L << random.nextInt(4));
            ShardingPlan plan = RulePlanner.of(registry).plan(random.nextLong(500 * BILLION), level);

            Bytes held = Bytes.ZERO;
            for (ShardingPlan.Shard shard : plan.shards()) {
                held = held.plus(shard.memory());
                assertThat(shard.isValid()).isTrue();
            }
            assertThat(held).isGreaterThanOrEqualTo(plan.totalMemory());
            assertThat(ReferencePlanDocument.read(ReferencePlanDocument.write(plan)))
                    .isEqualTo(plan);
        }
    }

    @Test
    void documentsThatAreNoPlanAreRefused() {
        assertThatThrownBy(() -> ReferencePlanDocument.read("[]")).hasMessage("the plan is not an object");
        assertThatThrownBy(() -> ReferencePlanDocument.read("{\"shards\":[],\"strategy\":\"None\"}"))
                .hasMessage("the key 'total_memory_bytes' is missing");
        assertThatThrownBy(() ->
                        ReferencePlanDocument.read("{\"shards\":[],\"strategy\":\"Some\",\"total_memory_bytes\":0}"))
                .hasMessageStartingWith("'strategy' is not");
        assertThatThrownBy(() ->
                        ReferencePlanDocument.read("{\"shards\":[],\"strategy\":\"None\",\"total_memory_bytes\":-1}"))
                .hasMessage("'total_memory_bytes' is not a whole number up to 2^64-1");
        assertThatThrownBy(() -> ReferencePlanDocument.read(
                        "{\"shards\":[],\"strategy\":\"None\",\"total_memory_bytes\":0,\"more\":1}"))
                .hasMessage("the plan has the unknown key 'more'");
    }
}
