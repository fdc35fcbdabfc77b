// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench;

import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.search.ServingSearch;
import dev.muster.plan.search.deployment.ReplicaModel;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.simulate.Deployment;
import dev.muster.plan.simulate.Loads;
import dev.muster.plan.simulate.SchedulerPolicy;
import dev.muster.plan.simulate.Schedulers;
import dev.muster.plan.simulate.Simulator;
import dev.muster.plan.simulate.Workload;
import dev.muster.plan.time.CoefficientTable;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// A simulation from its requests to what clients see: a thousand requests of a closed loop, with room and
/// without, and a million of a trace whose lengths are spread as those of conversations.
@State(Scope.Benchmark)
public class SimulateBenchmark {
    private static final int MILLION = 1_000_000;
    private static final double PER_SECOND = 5.5;
    private static final int INPUT = 1155;
    private static final int OUTPUT = 211;
    private static final int FEW_TOKENS = 60_000;

    private final ServingPlan plan = plan();
    private final ReplicaModel replica = ReplicaModel.of(plan, CoefficientTable.builtIn());
    private final Workload users = users();
    private final Workload trace = trace();

    /// Makes the state; JMH calls it.
    public SimulateBenchmark() {}

    private static ServingPlan plan() {
        DeviceEntry device = DeviceCatalogue.builtIn().find("h100-sxm").orElseThrow();
        ServingRequest request = ServingRequest.of(ModelCatalogue.builtIn()
                        .find("llama-3.1-8b")
                        .orElseThrow()
                        .toSummary())
                .withTokens(1024, 1024);
        DevicePool pool = DevicePool.of(DeviceFigures.of(device), device.name(), 1);
        return ServingSearch.of(CoefficientTable.builtIn())
                .find(request, pool, ServingEngine.VLLM)
                .find()
                .orElseThrow()
                .findFirst()
                .orElseThrow();
    }

    private Workload users() {
        SimulationRequest request = SimulationRequest.of(plan.request(), new ServingLoad.Users(100));
        return Loads.of(request.asBenchmark());
    }

    private static Workload trace() {
        Random random = new Random(1);
        double[] sent = new double[MILLION];
        int[] input = new int[MILLION];
        int[] output = new int[MILLION];
        double now = 0;
        for (int i = 0; i < MILLION; i++) {
            now += exponential(random) / PER_SECOND;
            sent[i] = now;
            input[i] = 1 + (int) (INPUT * exponential(random));
            output[i] = 1 + (int) (OUTPUT * exponential(random));
        }
        return Workload.timed(sent, input, output);
    }

    private static double exponential(Random random) {
        return -Math.log(1 - random.nextDouble());
    }

    private Figures run(String engine, Workload load, long room) {
        DeviceFigures device = plan.pool().device();
        SchedulerPolicy policy =
                Schedulers.find(engine, "", device.id(), device.memory()).orElseThrow();
        Deployment deployment = Deployment.of(replica.times(), policy, room).withClient(replica.client());
        return Simulator.run(load, deployment).figures(Slo.NONE);
    }

    /// A hundred users with room for all.
    @Benchmark
    public Figures thousandOfUsers() {
        return run("vllm", users, replica.kvTokens());
    }

    /// A hundred users, prompts alone.
    @Benchmark
    public Figures thousandAlone() {
        return run("sglang", users, replica.kvTokens());
    }

    /// A hundred users of whom a third have room, so that sequences give way.
    @Benchmark
    public Figures thousandInLittleRoom() {
        return run("vllm", users, FEW_TOKENS);
    }

    /// A million requests at given times.
    @Benchmark
    public Figures millionOfTrace() {
        return run("vllm", trace, replica.kvTokens());
    }
}
