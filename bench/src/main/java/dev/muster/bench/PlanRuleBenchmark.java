// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Interconnect;
import dev.muster.core.Provenance;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.Reading;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.rules.QuantizationRule;
import dev.muster.plan.rules.RulePlanner;
import dev.muster.plan.rules.ShardingPlan;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;

/// The rules on registries of 13 devices, which were looked through beforehand. Sizes are fields that are not final, so
/// that nothing is known beforehand.
public class PlanRuleBenchmark extends CalibratedBenchmark {
    private RulePlanner mixed = RulePlanner.of(RegistryJsonBenchmark.registry());
    private RulePlanner switched = gpus(List.of(new Interconnect(
            Interconnect.InterconnectKind.NVSWITCH,
            "nvswitch",
            Reading.known(new Bandwidth(900), Provenance.GIVEN),
            Reading.notProbed())));
    private RulePlanner plain = gpus(List.of());
    private long parameters = 70_000_000_000L;
    private long manyParameters = 400_000_000_000L;
    private QuantizationLevel level = QuantizationLevel.BFLOAT16;

    /// Makes the state; JMH calls it.
    public PlanRuleBenchmark() {
        super(10);
    }

    /// A CPU and twelve GPUs.
    private static RulePlanner gpus(List<Interconnect> interconnects) {
        List<AcceleratorProfile> profiles = new ArrayList<>(List.of(AcceleratorProfile.cpu(Bytes.ofGib(512))));
        for (int i = 0; i < 12; i++) {
            profiles.add(AcceleratorProfile.cuda(i, Bytes.ofGib(80)));
        }
        return RulePlanner.of(new AcceleratorRegistry(
                AcceleratorRegistry.REFERENCE_SCHEMA,
                profiles,
                List.of(),
                SystemIo.of(interconnects, List.of(), Reading.notProbed()),
                TopologyGraph.EMPTY,
                Reading.notProbed()));
    }

    /// A model that the best device holds.
    @Benchmark
    public ShardingPlan oneDevice() {
        return mixed.plan(parameters, level);
    }

    /// A model that is split by tensors.
    @Benchmark
    public ShardingPlan byTensors() {
        return switched.plan(manyParameters, level);
    }

    /// A model that is split by layers.
    @Benchmark
    public ShardingPlan byLayers() {
        return plain.plan(manyParameters, level);
    }

    /// The same, and every piece looked at.
    @Benchmark
    public long byTensorsWithShards() {
        return sum(switched.plan(manyParameters, level));
    }

    /// The same, and every piece looked at.
    @Benchmark
    public long byLayersWithShards() {
        return sum(plain.plan(manyParameters, level));
    }

    /// The same, and every piece kept.
    @Benchmark
    public List<ShardingPlan.Shard> byLayersKept() {
        return List.copyOf(plain.plan(manyParameters, level).shards());
    }

    private static long sum(ShardingPlan plan) {
        long sum = 0;
        for (ShardingPlan.Shard shard : plan.shards()) {
            sum += shard.memory().unsigned()
                    + shard.lastLayer()
                    + shard.device().deviceId();
        }
        return sum;
    }

    @Benchmark
    public QuantizationRule suggestion() {
        return mixed.suggestQuantization(parameters);
    }

    @Benchmark
    public Bytes memory() {
        return RulePlanner.estimateMemory(parameters, level);
    }
}
