// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import static dev.muster.plan.search.PlanAnswers.best;
import static dev.muster.testing.plan.PlanHosts.divided;
import static dev.muster.testing.plan.PlanHosts.hosts;
import static dev.muster.testing.plan.PlanHosts.model;
import static dev.muster.testing.plan.PlanHosts.with;
import static dev.muster.testing.plan.PlanHosts.withUuids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.DeviceFact;
import dev.muster.core.Partition;
import dev.muster.core.unit.Bytes;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Emitted launches run on the planned devices, and on no others.
class LauncherDevicesTest {
    private static final String VARIABLE = "CUDA_VISIBLE_DEVICES";
    private static final ServingRequest SMALL = ServingRequest.of(model("llama-3.1-8b"));
    private static final ServingRequest LARGE =
            ServingRequest.of(model("llama-3.1-70b")).withFormat(StandardFormat.FP8);

    private static ServingPlan serve(AcceleratorRegistry registry, ServingRequest request) {
        return best(Planner.of(registry).serve(request).answer());
    }

    private static String script(ServingPlan plan, LaunchTarget target) {
        return text(Launcher.emit(plan, target));
    }

    private static String text(LaunchAnswer answer) {
        return switch (answer) {
            case LaunchAnswer.Emitted(List<Artifact> artifacts) ->
                String.join("\n", artifacts.stream().map(Artifact::text).toList());
            case LaunchAnswer.Refused refused -> fail(refused.toString());
        };
    }

    @Test
    void aDeviceThatWasRemovedIsNeverNamed() {
        AcceleratorRegistry rest =
                WhatIf.remove(hosts("l40s:4"), device -> device.id().text().equals("cuda:0"));
        String script = script(serve(rest, SMALL.withGoal(ServingGoal.DEVICES)), LaunchTarget.VLLM);
        assertThat(script).contains("CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=1 vllm serve");
    }

    @Test
    void aPlanForFourOfFiveUnlikeGpusNamesThem() {
        ServingPlan plan = serve(hosts("[a100-sxm4-40:1 l40s:4]"), LARGE);
        assertThat(script(plan, LaunchTarget.VLLM))
                .contains("CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=1,2,3,4 vllm serve");
    }

    @Test
    void devicesAreNamedByTheirUuidWhereItIsKnown() {
        ServingPlan plan = serve(withUuids(hosts("[a100-sxm4-40:1 l40s:4]")), LARGE);
        assertThat(script(plan, LaunchTarget.VLLM))
                .contains("CUDA_VISIBLE_DEVICES=GPU-1,GPU-2,GPU-3,GPU-4 vllm serve")
                .doesNotContain("CUDA_DEVICE_ORDER");
    }

    @Test
    void oneDeviceWithoutAUuidLeavesAllToTheirNumbers() {
        AcceleratorRegistry registry = with(hosts("[a100-sxm4-40:1 l40s:4]"), "cuda:2", DeviceFact.UUID, "GPU-2");
        assertThat(script(serve(registry, LARGE), LaunchTarget.VLLM))
                .contains("CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=1,2,3,4");
    }

    @Test
    void allDevicesInTheirOrderNeedNoName() {
        assertThat(script(serve(hosts("l40s:4"), LARGE), LaunchTarget.VLLM))
                .doesNotContain(VARIABLE, "CUDA_DEVICE_ORDER");
        assertThat(script(serve(withUuids(hosts("l40s:4")), LARGE), LaunchTarget.VLLM))
                .doesNotContain(VARIABLE);
    }

    @Test
    void someOfSeveralAlikeDevicesAreNamed() {
        ServingPlan plan = serve(withUuids(hosts("l40s:4")), SMALL.withGoal(ServingGoal.DEVICES));
        assertThat(script(plan, LaunchTarget.VLLM)).contains("CUDA_VISIBLE_DEVICES=GPU-0 vllm serve");
    }

    @Test
    void aBusyDeviceIsNotAmongThoseNamed() {
        AcceleratorRegistry busy = with(withUuids(hosts("l40s:4")), "cuda:1", DeviceFact.MEMORY_FREE, Bytes.ofGib(4));
        ServingPlan plan = serve(busy, SMALL.withConcurrency(64).withGoal(ServingGoal.THROUGHPUT));
        assertThat(plan.devices()).isEqualTo(3);
        assertThat(script(plan, LaunchTarget.VLLM))
                .contains("GPU-0", "GPU-2", "GPU-3")
                .doesNotContain("GPU-1");
    }

    @Test
    void devicesThatSomebodyNamedAreThoseThatAreUsed() {
        AcceleratorRegistry registry = withUuids(hosts("h100-sxm:8"));
        ServingPlan plan = best(Planner.of(registry)
                .withDevices(DeviceChoice.named(registry, "cuda:2,5"))
                .serve(LARGE)
                .answer());
        assertThat(script(plan, LaunchTarget.VLLM)).contains("CUDA_VISIBLE_DEVICES=GPU-2,GPU-5 vllm serve");
    }

    @Test
    void eachSliceGetsAServerOfItsOwnWithItsUuid() {
        AcceleratorRegistry registry = divided();
        for (String id : List.of("MIG-a", "MIG-b")) {
            ServingPlan plan = best(Planner.of(registry)
                    .withDevices(DeviceChoice.named(registry, id))
                    .serve(SMALL)
                    .answer());
            assertThat(script(plan, LaunchTarget.VLLM)).contains("CUDA_VISIBLE_DEVICES=" + id + " vllm serve");
        }
    }

    @Test
    void noProcessIsGivenTwoSlices() {
        AcceleratorRegistry registry = withAlikeSlices();
        Planner planner = Planner.of(registry).withDevices(DeviceChoice.named(registry, "MIG-a,MIG-b"));
        ServingPlan plan = best(planner.serve(SMALL.withConcurrency(8).withGoal(ServingGoal.THROUGHPUT))
                .answer());
        assertThat(plan.replicas()).isEqualTo(2);
        assertThat(script(plan, LaunchTarget.VLLM))
                .contains("CUDA_VISIBLE_DEVICES=MIG-a vllm serve", "CUDA_VISIBLE_DEVICES=MIG-b vllm serve")
                .doesNotContain("MIG-a,MIG-b", "--data-parallel-size");
        // 65 GiB of weights are more than one slice holds, and two make no whole.
        assertThat(planner.serve(ServingRequest.of(model("qwen3-32b"))).isFeasible())
                .isFalse();
        assertThat(best(planner.train(TrainingRequest.of(model("llama-3.2-1b"), TrainingMethod.parse("lora"))))
                        .devices())
                .isEqualTo(1);
    }

    private static AcceleratorRegistry withAlikeSlices() {
        AcceleratorRegistry registry = divided();
        return registry.withDevices(registry.profiles().stream()
                .map(device -> device.partition()
                        .map(slice -> device.toBuilder()
                                .partition(new Partition(slice.parent(), slice.id(), "3g.40gb"))
                                .build())
                        .orElse(device))
                .toList());
    }

    @ParameterizedTest
    @EnumSource(names = {"SLURM", "KUBERNETES"})
    void underASchedulerItIsTheSchedulerThatChooses(LaunchTarget scheduler) {
        ServingPlan plan = serve(withUuids(hosts("[a100-sxm4-40:1 l40s:4]")), LARGE);
        assertThat(script(plan, scheduler)).doesNotContain(VARIABLE, "GPU-1");
    }

    @Test
    void underMpirunThePlanChooses() {
        ServingPlan plan = serve(withUuids(hosts("[a100-sxm4-40:1 l40s:4]")), LARGE);
        assertThat(script(plan, LaunchTarget.MPIRUN)).contains("CUDA_VISIBLE_DEVICES=GPU-1,GPU-2,GPU-3,GPU-4");
    }

    @Test
    void severalMachinesUseAllOfTheirDevices() {
        ServingPlan plan = best(Planner.of(withUuids(hosts("h100-sxm:8 nvswitch ib:8x400")))
                .withHosts(2)
                .serve(ServingRequest.of(model("llama-3.1-405b")))
                .answer());
        assertThat(script(plan, LaunchTarget.VLLM)).doesNotContain("GPU-0");
    }

    @Test
    void aTrainingRunNamesItsDevicesToo() {
        AcceleratorRegistry registry = withUuids(hosts("h100-sxm:8"));
        String script = text(Launcher.emit(
                best(Planner.of(registry)
                        .withDevices(DeviceChoice.named(registry, "cuda:4,6"))
                        .train(TrainingRequest.of(model("llama-3.2-1b"), TrainingMethod.parse("full")))),
                LaunchTarget.TORCHRUN));
        assertThat(script).contains("CUDA_VISIBLE_DEVICES=GPU-4,GPU-6");
    }

    @Test
    void otherVendorsHaveTheirOwnVariable() {
        AcceleratorRegistry registry = hosts("mi300x:8");
        ServingPlan plan = best(Planner.of(registry)
                .withDevices(DeviceChoice.named(registry, "rocm:3"))
                .serve(SMALL)
                .answer());
        assertThat(script(plan, LaunchTarget.VLLM))
                .contains("HIP_VISIBLE_DEVICES=3 vllm serve")
                .doesNotContain("CUDA_");
    }

    /// CUDA counts the fastest first unless it is told otherwise, and shares of layers follow its order.
    @ParameterizedTest
    @CsvSource({"[rtx-3060-12:1 rtx-4090:1], qwen3-32b, q6_k", "[rtx-4090:1 a100-pcie-40:1], llama-3.1-70b, q5_k_m"})
    void unlikeCardsThatShareAModelAreNamedInTheOrderOfTheirShares(String host, String model, String format) {
        ServingOutcome outcome = Planner.of(hosts(host))
                .serve(ServingRequest.of(model(model)).withFormat(WeightFormat.parse(format)), ServingChoices.USUAL);
        MixedPlan plan = outcome.splits().getFirst();
        assertThat(plan.members()).hasSize(2);
        List<String> order = plan.members().stream()
                .map(device -> String.valueOf(device.ordinal()))
                .toList();
        assertThat(text(Launcher.emit(plan, LaunchTarget.LLAMA_CPP)))
                .contains("CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=" + String.join(",", order) + " ");
    }

    /// vLLM refuses to start where it is told to take more than is free.
    @ParameterizedTest
    @ValueSource(ints = {30, 31, 32, 33, 34, 35})
    void theShareOfMemoryFollowsWhatIsFreeAndIsNeverMore(int gib) {
        AcceleratorRegistry registry = with(hosts("h100-sxm:1"), "cuda:0", DeviceFact.MEMORY_FREE, Bytes.ofGib(gib));
        Planner planner = Planner.of(registry).withDevices(DeviceChoice.named(registry, "cuda:0"));
        ServingPlan plan = best(planner.serve(SMALL).answer());
        double share = Double.parseDouble(
                PlanFacts.facts(plan).find(LaunchFact.MEMORY_FRACTION).orElseThrow());
        assertThat(share * plan.pool().device().memory())
                .isLessThanOrEqualTo(Bytes.ofGib(gib).toDouble())
                .isGreaterThan(Bytes.ofGib(gib - 1).toDouble());
        assertThat(script(plan, LaunchTarget.VLLM)).contains("--gpu-memory-utilization " + share);
        ServingPlan sglang = best(planner.serve(SMALL, ServingChoices.USUAL.withEngine(ServingEngine.SGLANG))
                .answer());
        assertThat(script(sglang, LaunchTarget.SGLANG)).containsPattern("--mem-fraction-static 0\\.[0-3]\\d");
    }
}
