// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import static dev.muster.plan.search.PlanAnswers.best;
import static dev.muster.plan.search.PlanAnswers.unanswered;
import static dev.muster.testing.plan.PlanHosts.desktop;
import static dev.muster.testing.plan.PlanHosts.gpu;
import static dev.muster.testing.plan.PlanHosts.hosts;
import static dev.muster.testing.plan.PlanHosts.known;
import static dev.muster.testing.plan.PlanHosts.model;
import static dev.muster.testing.plan.PlanHosts.processor;
import static dev.muster.testing.plan.PlanHosts.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Hertz;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.PlanNote.Topic;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Machines that are in no catalogue, have no accelerator, or share their memory: what can be said is said, and the
/// rest is named.
class EveryMachineTest {
    private static final ServingRequest Q4 =
            ServingRequest.of(model("llama-3.1-8b")).withFormat(WeightFormat.parse("q4_k_m"));

    private static AcceleratorRegistry machine(AcceleratorProfile.ProfileBuilder device) {
        return AcceleratorRegistry.of(List.of(device.build()));
    }

    private static DevicePool pool(AcceleratorRegistry registry) {
        List<DevicePool> pools = Planner.of(registry).devices().pools();
        assertThat(pools).hasSize(1);
        return pools.getFirst();
    }

    private static Provenance.Method method(Reading<?> reading) {
        return reading instanceof Reading.Known<?>(var _, Provenance source)
                ? source.method()
                : fail("unknown: " + reading);
    }

    private static double width(Estimate estimate) {
        return Math.log(estimate.p90() / estimate.p50());
    }

    private static AcceleratorProfile.ProfileBuilder laptop() {
        return gpu(AcceleratorKind.CUDA_GPU, "NVIDIA GeForce RTX 6090 Laptop GPU")
                .with(DeviceFact.MEMORY, known(Bytes.ofMib(16_376)))
                .with(DeviceFact.MEMORY_BANDWIDTH, known(new Bandwidth(576)))
                .with(DeviceFact.COMPUTE_UNITS, known(76L))
                .with(DeviceFact.CLOCK_MAX, known(new Hertz(2_040_000_000L)))
                .with(DeviceFact.COMPUTE_CAPABILITY, known("8.9"));
    }

    @Test
    void aMachineWithoutAcceleratorsIsPlannedForWithLlamaCpp() {
        PlanAnswer<ServingPlan> answer =
                Planner.of(processor(desktop())).serve(Q4).answer();
        ServingPlan plan = best(answer);
        assertThat(plan.software()).isEqualTo(ServingEngine.LLAMA_CPP);
        assertThat(plan.pool().device().family()).isEqualTo(DeviceFamily.CPU);
        assertThat(plan.isMeasured()).isFalse();
        // Each token reads 4.6 GiB of weights over two channels of memory.
        assertThat(1 / plan.timePerOutputToken().p50()).isBetween(4.0, 9.0);
        assertThat(answer.notes())
                .filteredOn(note -> note.topic() == Topic.HOST_MEMORY_RATE)
                .singleElement()
                .satisfies(note -> assertThat((double) note.values().getFirst()).isEqualTo(43e9, within(0.5e9)));
    }

    @Test
    void theUsualRequestOfAProcessorIsAnsweredToo() {
        ServingRequest published = ServingRequest.of(model("llama-3.1-8b"));
        PlanAnswer<ServingPlan> answer =
                Planner.of(processor(desktop())).serve(published).answer();
        assertThat(best(answer).software()).isEqualTo(ServingEngine.LLAMA_CPP);
        assertThat(answer.notes())
                .anyMatch(note ->
                        note.topic() == Topic.UNMEASURED_ENGINE && note.values().getLast() == ServingEngine.LLAMA_CPP);
    }

    private static double perToken(Planner planner, double gigabytesPerSecond) {
        Planner stated = planner.withHostBandwidth(new Bandwidth(gigabytesPerSecond));
        return best(stated.serve(Q4).answer()).timePerOutputToken().p50();
    }

    @Test
    void aProcessorIsAsFastAsItsMemoryIsSaidToBe() {
        Planner planner = Planner.of(processor(desktop()));
        PlanAnswer<ServingPlan> answer =
                planner.withHostBandwidth(new Bandwidth(40)).serve(Q4).answer();
        double some = perToken(planner, 10);
        assertThat(perToken(planner, 5) / some).isCloseTo(2, within(0.15));
        assertThat(some / perToken(planner, 20)).isBetween(1.7, 2.0);
        // More than its cores can multiply.
        assertThat(perToken(planner, 3000) / perToken(planner, 300)).isCloseTo(1, within(0.1));
        assertThat(answer.notes()).noneMatch(note -> note.topic() == Topic.HOST_MEMORY_RATE);
        assertThat(method(best(answer).pool().device().memoryBandwidth())).isEqualTo(Provenance.Method.GIVEN);
    }

    @Test
    void coresAndInstructionsMakeTheRateOfAProcessor() {
        DeviceFigures avx2 = pool(processor(desktop().with(DeviceFact.CLOCK_MAX, known(new Hertz(4_000_000_000L)))))
                .device();
        DeviceFigures avx512 = pool(processor(desktop()
                        .with(DeviceFact.CLOCK_MAX, known(new Hertz(4_000_000_000L)))
                        .with(DeviceFact.EXTENSIONS, known("avx avx2 avx512f"))))
                .device();
        assertThat(avx2.half()).isEqualTo(16 * 4e9 * 32);
        assertThat(avx512.half()).isEqualTo(2 * avx2.half());
        assertThat(method(avx2.halfRate())).isEqualTo(Provenance.Method.DERIVED);
    }

    @Test
    void aProcessorIsUsedOnlyWhereThereIsNothingElse() {
        AcceleratorRegistry both = AcceleratorRegistry.of(List.of(desktop().build(), laptop().build()));
        assertThat(Planner.of(both).devices().devices())
                .extracting(device -> device.id().text())
                .containsExactly("cuda:0");
    }

    @Test
    void aLaptopGpuThatNoCatalogueKnowsIsPlannedFromWhatWasDetected() {
        PlanAnswer<ServingPlan> answer = Planner.of(machine(laptop())).serve(Q4).answer();
        ServingPlan plan = best(answer);
        DeviceFigures figures = plan.pool().device();
        assertThat(plan.pool().basis()).isEqualTo(DevicePool.FigureBasis.DERIVED);
        assertThat(figures.family()).isEqualTo(DeviceFamily.NVIDIA_GDDR);
        assertThat(figures.half()).isCloseTo(76 * 2.04e9 * 512, within(1e6));
        assertThat(method(figures.halfRate())).isEqualTo(Provenance.Method.DERIVED);
        assertThat(method(figures.memoryBandwidth())).isEqualTo(Provenance.Method.NATIVE);
        assertThat(method(figures.memorySize())).isEqualTo(Provenance.Method.NATIVE);
        assertThat(answer.notes()).contains(PlanNote.of(Topic.DERIVED_FIGURES, "NVIDIA GeForce RTX 6090 Laptop GPU"));
    }

    @Test
    void whatIsDerivedHasWiderIntervals() {
        ServingPlan derived = best(Planner.of(machine(laptop())).serve(Q4).answer());
        ServingPlan stated = best(Planner.of(hosts("rtx-4090:1")).serve(Q4).answer());
        assertThat(derived.isMeasured()).isFalse();
        assertThat(width(derived.tokensPerSecond())).isCloseTo(2 * width(stated.tokensPerSecond()), within(1e-9));
        assertThat(derived.tokensPerSecond().p50())
                .isLessThan(stated.tokensPerSecond().p50());
    }

    @Test
    void figuresOfARowWithLowConfidenceHaveWiderIntervals() {
        ServingPlan stated = best(plan(machineOfRow("medium")));
        ServingPlan secondHand = best(plan(machineOfRow("low")));
        assertThat(secondHand.isMeasured()).isFalse();
        assertThat(secondHand.tokensPerSecond().p50())
                .isEqualTo(stated.tokensPerSecond().p50());
        assertThat(width(secondHand.tokensPerSecond())).isCloseTo(2 * width(stated.tokensPerSecond()), within(1e-9));
    }

    private static DeviceCatalogue machineOfRow(String confidence) {
        return DeviceCatalogue.parse("device_id,vendor,name,class,memory_gb,memory_type,mem_bw_gbs,fp16_tflops,source,"
                + "confidence\nrtx-4090,nvidia,GeForce RTX 4090,consumer,24,GDDR6X,1008,165,us," + confidence + "\n");
    }

    private static PlanAnswer<ServingPlan> plan(DeviceCatalogue row) {
        AcceleratorProfile card = row.find("rtx-4090").orElseThrow().toProfile(0);
        return Planner.of(AcceleratorRegistry.of(List.of(card)))
                .withCatalogue(row)
                .serve(Q4)
                .answer();
    }

    @Test
    void aRateIsDerivedFromTheBandwidthWhereUnitsAreUnknown() {
        DeviceFigures figures = pool(machine(gpu(AcceleratorKind.VULKAN_GPU, "Some card")
                        .with(DeviceFact.MEMORY, known(Bytes.ofGib(8)))
                        .with(DeviceFact.MEMORY_BANDWIDTH, known(new Bandwidth(200)))))
                .device();
        assertThat(figures.half()).isCloseTo(25 * 200e9, within(1.0));
    }

    @Test
    void aDeviceOfWhichNothingIsKnownIsLeftOutWithAWayToAddIt() {
        PlanAnswer.Unanswered<ServingPlan> answer =
                unanswered(Planner.of(machine(gpu(AcceleratorKind.CUDA_GPU, "NVIDIA Mystery 9000")))
                        .serve(Q4)
                        .answer());
        assertThat(answer.notes()).singleElement().satisfies(note -> {
            assertThat(note.kind()).isEqualTo(PlanNote.NoteKind.LEFT_OUT);
            assertThat(note.topic()).isEqualTo(Topic.INCOMPLETE_DEVICE);
            assertThat(note.values().getFirst()).hasToString("cuda:0");
            assertThat(note.values().subList(1, 3))
                    .containsExactly(
                            "NVIDIA Mystery 9000", List.of("memory", "memory bandwidth", "rate of operations"));
        });
        assertThat(answer.reason())
                .isEqualTo(Shortfall.of(Cause.NO_DEVICE_LEFT, answer.notes().getFirst(), 0));
    }

    @Test
    void detectedFactsComeBeforeTheDataSheetWhichFillsTheRest() {
        AcceleratorRegistry registry = with(
                hosts("h100-sxm:1"),
                "cuda:0",
                device -> device.with(DeviceFact.MEMORY, known(Bytes.ofGib(78)))
                        .with(DeviceFact.MEMORY_BANDWIDTH, known(new Bandwidth(3000))));
        DevicePool pool = pool(registry);
        assertThat(pool.basis()).isEqualTo(DevicePool.FigureBasis.DATA_SHEET);
        assertThat(pool.device().memory()).isEqualTo(Bytes.ofGib(78).toDouble());
        assertThat(pool.device().bandwidth()).isEqualTo(3e12);
        assertThat(method(pool.device().memorySize())).isEqualTo(Provenance.Method.NATIVE);
        DeviceFigures sheet =
                DeviceFigures.of(DeviceCatalogue.builtIn().find("h100-sxm").orElseThrow());
        assertThat(pool.device().halfRate()).isEqualTo(sheet.halfRate());
    }

    @Test
    void appleGpusTakeThreeQuartersOfTheMemoryThatTheyShare() {
        AcceleratorRegistry registry = with(hosts("m3-max-40c:1"), "metal:0", DeviceFact.MEMORY, Bytes.ofGib(64));
        DeviceFigures figures = pool(registry).device();
        assertThat(figures.memory()).isEqualTo(Bytes.ofGib(64).toDouble());
        assertThat(figures.free()).isEqualTo(Bytes.ofGib(48).toDouble());
        ServingPlan plan = best(Planner.of(registry).serve(Q4).answer());
        assertThat(plan.software()).isEqualTo(ServingEngine.LLAMA_CPP);
        assertThat(plan.memory().capacity()).isLessThanOrEqualTo(Bytes.ofGib(48).toDouble());
    }

    @Test
    void aSmallerFreeMemoryCountsOnSharedMemoryToo() {
        AcceleratorRegistry registry = with(hosts("gb10:1"), "cuda:0", DeviceFact.MEMORY_FREE, Bytes.ofGib(80));
        assertThat(pool(registry).device().free()).isEqualTo(Bytes.ofGib(80).toDouble());
    }

    @ParameterizedTest
    @CsvSource({"gb10:1", "strix-halo:1"})
    void devicesThatShareMemoryLeaveSomeToTheSystem(String host) {
        DeviceFigures figures = pool(hosts(host)).device();
        assertThat(figures.memory() - figures.free()).isEqualTo(Bytes.ofGib(4).toDouble());
    }

    @Test
    void anApuTakesWhatItsDriverLetsItHaveOfTheHostsMemory() {
        AcceleratorRegistry small = with(
                hosts("strix-halo:1"),
                "rocm:0",
                device -> device.with(DeviceFact.MEMORY, known(Bytes.ofMib(512)))
                        .with(DeviceFact.MEMORY_FREE, known(Bytes.ofMib(400)))
                        .with(DeviceFact.MEMORY_SHARED, known(Bytes.ofGib(62))));
        assertThat(pool(small).device().free()).isEqualTo(Bytes.ofGib(62).toDouble());
        assertThat(best(Planner.of(small).serve(Q4).answer()).software()).isEqualTo(ServingEngine.LLAMA_CPP);
        AcceleratorRegistry large = with(
                hosts("strix-halo:1"),
                "rocm:0",
                device -> device.with(DeviceFact.MEMORY, known(Bytes.ofGib(96)))
                        .with(DeviceFact.MEMORY_FREE, known(Bytes.ofGib(95)))
                        .with(DeviceFact.MEMORY_SHARED, known(Bytes.ofGib(15))));
        assertThat(pool(large).device().memory()).isEqualTo(Bytes.ofGib(96).toDouble());
        assertThat(pool(large).device().free()).isEqualTo(Bytes.ofGib(95).toDouble());
    }

    @Test
    void anApuThatNoCatalogueKnowsSharesItsHostsMemoryToo() {
        DeviceFigures figures = pool(machine(gpu(AcceleratorKind.ROCM_GPU, "Some Phoenix")
                        .with(DeviceFact.MEMORY, known(Bytes.ofGib(4)))
                        .with(DeviceFact.MEMORY_SHARED, known(Bytes.ofGib(29)))
                        .with(DeviceFact.MEMORY_BANDWIDTH, known(new Bandwidth(90)))))
                .device();
        assertThat(figures.family()).isEqualTo(DeviceFamily.OTHER);
        assertThat(figures.free()).isEqualTo(Bytes.ofGib(29).toDouble());
    }

    /// The engine that is chosen runs there, although none was measured.
    @ParameterizedTest
    @CsvSource({"arc-b580:1, LLAMA_CPP", "tpu-v5e:8, VLLM"})
    void whereNoEngineWasMeasuredOneThatRunsThereIsChosenAndSaid(String host, ServingEngine engine) {
        PlanAnswer<ServingPlan> answer = Planner.of(hosts(host))
                .serve(ServingRequest.of(model("llama-3.2-1b")))
                .answer();
        assertThat(best(answer).software()).isEqualTo(engine);
        assertThat(best(answer).isMeasured()).isFalse();
        assertThat(answer.notes())
                .anyMatch(note ->
                        note.topic() == Topic.UNMEASURED_ENGINE && note.values().getLast() == engine);
    }

    @ParameterizedTest
    @CsvSource({"strix-halo, LLAMA_CPP", "arc-b580, LLAMA_CPP", "tpu-v6e, VLLM"})
    void strixHaloArcAndTpuGetAnEngineThatRunsThere(String device, ServingEngine engine) {
        ServingRequest small = ServingRequest.of(model("qwen2.5-1.5b"));
        assertThat(best(Planner.of(hosts(device)).serve(small).answer()).software())
                .isEqualTo(engine);
    }

    @Test
    void anEngineThatDoesNotRunThereIsRefusedWithAReason() {
        PlanAnswer.Unanswered<ServingPlan> answer = unanswered(Planner.of(hosts("mi300x:1"))
                .serve(
                        ServingRequest.of(model("llama-3.1-8b")).withFormat(StandardFormat.BF16),
                        ServingChoices.USUAL.withEngine(ServingEngine.TENSORRT_LLM))
                .answer());
        assertThat(answer.reason().cause()).isEqualTo(Cause.NOT_ON_DEVICE);
        assertThat(answer.reason().values().getFirst()).isEqualTo("TensorRT-LLM");
    }
}
