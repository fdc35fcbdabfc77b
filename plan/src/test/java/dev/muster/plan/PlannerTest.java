// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import static dev.muster.plan.search.PlanAnswers.best;
import static dev.muster.plan.search.PlanAnswers.infeasible;
import static dev.muster.plan.search.PlanAnswers.unanswered;
import static dev.muster.testing.plan.PlanHosts.busyAndUnwell;
import static dev.muster.testing.plan.PlanHosts.divided;
import static dev.muster.testing.plan.PlanHosts.hosts;
import static dev.muster.testing.plan.PlanHosts.model;
import static dev.muster.testing.plan.PlanHosts.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.DeviceChoice.ExcludedDevice;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceUsability.Obstacle;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelSize;
import dev.muster.model.ModelSummary;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.PlanNote.Topic;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.MemoryBasis;
import dev.muster.plan.cost.PlannedDevice;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Plans for machines as they are: which devices they mean, and what is said of those that they leave out.
class PlannerTest {
    private static final ServingRequest LLAMA_8B = ServingRequest.of(model("llama-3.1-8b"));
    private static final ServingRequest LLAMA_70B = ServingRequest.of(model("llama-3.1-70b"));

    private static ServingPlan serve(AcceleratorRegistry registry, ServingRequest request) {
        return best(Planner.of(registry).serve(request).answer());
    }

    private static List<String> ids(List<PlannedDevice> devices) {
        return devices.stream().map(device -> device.id().text()).toList();
    }

    private static List<PlanNote> leftOut(List<PlanNote> notes) {
        return notes.stream()
                .filter(note -> note.kind() == PlanNote.NoteKind.LEFT_OUT)
                .toList();
    }

    private static ExcludedDevice excluded(PlanNote note) {
        assertThat(note.topic()).isEqualTo(Topic.EXCLUDED_DEVICE);
        return (ExcludedDevice) note.values().getFirst();
    }

    @Test
    void seventyBillionParametersOnEightH100ArePlannedInFiveLines() {
        ServingPlan plan =
                serve(hosts("h100-sxm:8"), LLAMA_70B.withConcurrency(64).withGoal(ServingGoal.THROUGHPUT));
        assertThat(plan.software()).isEqualTo(ServingEngine.VLLM);
        assertThat(plan.devices()).isEqualTo(8);
        assertThat(plan.layout().tp()).isGreaterThan(1);
        assertThat(plan.tokensPerSecond().p50()).isGreaterThan(900);
        assertThat(plan.tokensPerSecond().p10())
                .isLessThan(plan.tokensPerSecond().p50());
        assertThat(ids(plan.members()))
                .containsExactly("cuda:0", "cuda:1", "cuda:2", "cuda:3", "cuda:4", "cuda:5", "cuda:6", "cuda:7");
    }

    @Test
    void aBusyDeviceAndOneWithMemoryErrorsAreLeftOutWithANoteEach() {
        PlanAnswer<ServingPlan> answer = Planner.of(busyAndUnwell())
                .serve(LLAMA_8B.withConcurrency(64).withGoal(ServingGoal.THROUGHPUT))
                .answer();
        ServingPlan plan = best(answer);
        assertThat(plan.pool().count()).isEqualTo(6);
        assertThat(ids(plan.members())).containsExactly("cuda:1", "cuda:2", "cuda:3", "cuda:4", "cuda:5", "cuda:6");
        assertThat(leftOut(answer.notes()))
                .extracting(note -> excluded(note).device().id().text() + " "
                        + excluded(note).reason())
                .containsExactlyInAnyOrder("cuda:0 IN_USE", "cuda:7 UNHEALTHY");
    }

    @Test
    void fitAndTrainLeaveOutTheSameDevices() {
        Planner planner = Planner.of(busyAndUnwell());
        Planner.FitAnswer fit = planner.fit(LLAMA_8B, ServingChoices.USUAL);
        assertThat(fit.fits()).isNotEmpty().allMatch(one -> one.pool().count() == 6);
        assertThat(leftOut(fit.notes())).hasSize(2);
        PlanAnswer<TrainingPlan> training =
                planner.train(TrainingRequest.of(model("llama-3.1-8b"), TrainingMethod.parse("lora")));
        assertThat(best(training).cluster().devices()).isEqualTo(6);
        assertThat(ids(best(training).members())).doesNotContain("cuda:0", "cuda:7");
        assertThat(leftOut(training.notes())).hasSize(2);
    }

    @Test
    void namedDevicesAreUsedWhateverTheirState() {
        AcceleratorRegistry registry = busyAndUnwell();
        PlanAnswer<ServingPlan> answer = Planner.of(registry)
                .withDevices(DeviceChoice.named(registry, "cuda:5,7"))
                .serve(LLAMA_70B.withFormat(StandardFormat.FP8))
                .answer();
        assertThat(ids(best(answer).pool().members())).containsExactly("cuda:5", "cuda:7");
        assertThat(leftOut(answer.notes())).isEmpty();
    }

    @Test
    void allMeansAllThatCanBeUsed() {
        AcceleratorRegistry lost = with(hosts("l40s:4"), "cuda:1", device -> device.available(false));
        assertThat(ids(Planner.of(lost)
                        .withDevices(DeviceChoice.named(lost, "all"))
                        .devices()
                        .devices()))
                .containsExactly("cuda:0", "cuda:2", "cuda:3");
        assertThatThrownBy(() -> DeviceChoice.named(lost, "cuda:9"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no device matches 'cuda:9'");
    }

    @Test
    void whereAllDevicesAreBusyTheReasonSaysSo() {
        AcceleratorRegistry busy = with(hosts("h100-sxm:1"), "cuda:0", DeviceFact.MEMORY_FREE, Bytes.ofGib(2));
        PlanAnswer.Unanswered<ServingPlan> answer =
                unanswered(Planner.of(busy).serve(LLAMA_8B).answer());
        assertThat(answer.reason().cause()).isEqualTo(Cause.NO_DEVICE_LEFT);
        assertThat(excluded((PlanNote) answer.reason().values().getFirst()).reason())
                .isEqualTo(Obstacle.IN_USE);
    }

    @Test
    void slicesOfAGpuInMigModeArePlannedInPlaceOfTheWhole() {
        AcceleratorRegistry registry = divided();
        Planner planner = Planner.of(registry);
        List<DevicePool> pools = planner.devices().pools();
        assertThat(ids(planner.devices().devices()))
                .containsExactlyInAnyOrder("cuda:1", "cuda:0/MIG-a", "cuda:0/MIG-b");
        DevicePool slices = pools.stream()
                .filter(pool -> pool.name().contains("4g.40gb"))
                .findFirst()
                .orElseThrow();
        DevicePool whole = pools.stream()
                .filter(pool -> !pool.name().contains("slice"))
                .findFirst()
                .orElseThrow();
        assertThat(slices.device().memory()).isEqualTo(Bytes.ofMib(40_448).toDouble());
        assertThat(slices.device().half() / whole.device().half()).isCloseTo(4 / 7.0, within(1e-9));
        assertThat(slices.device().bandwidth() / whole.device().bandwidth()).isCloseTo(4 / 8.0, within(1e-9));
        assertThat(slices.device().link()).isZero();
    }

    @Test
    void noPlanPutsMoreOnADividedGpuThanItsLargestSliceHolds() {
        AcceleratorRegistry registry = divided();
        Planner slices = Planner.of(registry).withDevices(DeviceChoice.named(registry, "MIG-a,MIG-b"));
        ServingRequest large = ServingRequest.of(model("qwen3-32b")).withFormat(StandardFormat.FP8);
        for (ServingPlan plan : slices.serve(large).answer().considered()) {
            assertThat(plan.memory().capacity())
                    .isLessThanOrEqualTo(Bytes.ofMib(40_448).toDouble());
        }
        infeasible(slices.serve(LLAMA_70B).answer());
        assertThat(best(slices.serve(LLAMA_8B).answer()).memory().total())
                .isLessThan(Bytes.ofMib(40_448).toDouble());
    }

    @Test
    void aPlanStaysWithinWhatIsFree() {
        AcceleratorRegistry registry = with(hosts("h100-sxm:1"), "cuda:0", DeviceFact.MEMORY_FREE, Bytes.ofGib(30));
        Planner planner = Planner.of(registry).withDevices(DeviceChoice.named(registry, "cuda:0"));
        ServingRequest many = LLAMA_8B.withConcurrency(16).withGoal(ServingGoal.THROUGHPUT);
        ServingPlan free = best(planner.serve(many).answer());
        assertThat(free.memory().capacity()).isEqualTo(Bytes.ofGib(30).toDouble());
        assertThat(free.memory().total()).isLessThanOrEqualTo(Bytes.ofGib(30).toDouble());
        ServingPlan total =
                best(planner.withMemory(MemoryBasis.TOTAL).serve(many).answer());
        assertThat(total.memory().capacity()).isGreaterThan(Bytes.ofGib(65).toDouble());
        int most = best(planner.serveAsManyAsFit(LLAMA_8B, ServingChoices.USUAL).answer())
                .request()
                .concurrency();
        int mostOfAll = best(planner.withMemory(MemoryBasis.TOTAL)
                        .serveAsManyAsFit(LLAMA_8B, ServingChoices.USUAL)
                        .answer())
                .request()
                .concurrency();
        assertThat(most).isBetween(16, mostOfAll - 1);
        infeasible(planner.serve(ServingRequest.of(model("qwen3-32b"))).answer());
    }

    @Test
    void theDeviceWithTheLeastFreeMemoryDecidesForItsKind() {
        AcceleratorRegistry registry = with(hosts("h100-sxm:2"), "cuda:1", DeviceFact.MEMORY_FREE, Bytes.ofGib(50));
        ServingPlan plan = serve(registry, LLAMA_8B.withConcurrency(8).withGoal(ServingGoal.THROUGHPUT));
        assertThat(plan.pool().count()).isEqualTo(2);
        assertThat(plan.memory().capacity()).isEqualTo(Bytes.ofGib(50).toDouble());
    }

    @Test
    void aServerIsPlannedForAsManySequencesAsFit() {
        ServingOutcome outcome = Planner.of(hosts("l40s:1")).serveAsManyAsFit(LLAMA_8B, ServingChoices.USUAL);
        int sequences = outcome.request().concurrency();
        assertThat(sequences).isGreaterThan(1).isLessThanOrEqualTo(ServingRequest.MOST_SEQUENCES);
        assertThat(outcome.answer().notes()).contains(PlanNote.of(Topic.MOST_SEQUENCES, sequences, 4096));
        best(Planner.of(hosts("l40s:1"))
                .serve(LLAMA_8B.withConcurrency(sequences))
                .answer());
        if (sequences < ServingRequest.MOST_SEQUENCES) {
            infeasible(Planner.of(hosts("l40s:1"))
                    .serve(LLAMA_8B.withConcurrency(sequences + 1))
                    .answer());
        }
    }

    @Test
    void ofSeveralFormatsTheBestForTheGoalIsChosenAndSaid() {
        ServingOutcome outcome = Planner.of(hosts("h100-sxm:1"))
                .serve(LLAMA_8B, ServingChoices.USUAL.withFormats(List.of(StandardFormat.BF16, StandardFormat.FP8)));
        assertThat(outcome.request().format()).isEqualTo(StandardFormat.FP8);
        assertThat(outcome.answer().notes())
                .contains(PlanNote.of(
                        Topic.BEST_FORMAT,
                        List.of(StandardFormat.BF16, StandardFormat.FP8),
                        StandardFormat.FP8,
                        ServingGoal.LATENCY));
    }

    @Test
    void otherKindsOfDevicesArePlannedApartAndNamed() {
        PlanAnswer<ServingPlan> answer = Planner.of(hosts("[a100-sxm4-40:1 l40s:4]"))
                .serve(LLAMA_70B.withFormat(StandardFormat.FP8))
                .answer();
        assertThat(best(answer).pool().name()).contains("L40S");
        assertThat(ids(best(answer).members())).containsExactly("cuda:1", "cuda:2", "cuda:3", "cuda:4");
        assertThat(answer.notes())
                .filteredOn(note -> note.topic() == Topic.WORSE_DEVICES)
                .singleElement()
                .satisfies(note -> assertThat(note.values().getFirst()).isEqualTo(1));
    }

    @Test
    void moreTokensThanAModelWasMadeForAreWarnedOf() {
        PlanAnswer<ServingPlan> answer = Planner.of(hosts("h200-sxm:8"))
                .serve(ServingRequest.of(model("llama-3-8b")).withTokens(20_000, 500))
                .answer();
        assertThat(answer.notes())
                .filteredOn(note -> note.topic() == Topic.LONG_CONTEXT)
                .singleElement()
                .satisfies(note -> assertThat(note.values().subList(1, 3)).containsExactly(8192L, 20_500));
    }

    @Test
    void whatDoesNotFitSaysWhatWould() {
        PlanAnswer.Infeasible<ServingPlan> answer =
                infeasible(Planner.of(hosts("l40s:1")).serve(LLAMA_70B).answer());
        assertThat(answer.closest().memory().fits()).isFalse();
        assertThat(answer.remedies()).isNotEmpty();
    }

    @Test
    void aModelOfWhichOnlyTheSizeIsKnownHasNoPlan() {
        ModelSummary model = ModelSummary.ofSize("8B", ModelSize.parse("8B"));
        PlanAnswer.Unanswered<ServingPlan> answer = unanswered(
                Planner.of(hosts("l40s:1")).serve(ServingRequest.of(model)).answer());
        assertThat(answer.reason().cause()).isEqualTo(Cause.UNKNOWN_ARCHITECTURE);
        assertThat(answer.remedies()).containsExactly(Remedy.Advice.MODEL_AND_FORMAT);
    }

    @Test
    void severalMachinesAreJoinedByTheirNetwork() {
        Planner planner = Planner.of(hosts("h100-sxm:8 nvswitch ib:8x400"));
        ServingRequest large = ServingRequest.of(model("llama-3.1-405b"));
        infeasible(planner.serve(large).answer());
        ServingPlan plan = best(planner.withHosts(2).serve(large).answer());
        assertThat(plan.pool().hosts()).isEqualTo(2);
        assertThat(plan.pool().count()).isEqualTo(16);
        assertThatThrownBy(() -> planner.withHosts(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> planner.withHosts(1 << 20)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> planner.withDevices(DeviceChoice.named(planner.registry(), "cuda:0"))
                        .withHosts(Planner.MOST_DEVICES)
                        .withDevices(DeviceChoice.defaults(planner.registry())))
                .hasMessageContaining("more than the 1048576 devices");
    }

    @Test
    void aModelIsTrainedOnTheDevicesOfTheRegistry() {
        PlanAnswer<TrainingPlan> answer = Planner.of(hosts("h100-sxm:8 nvswitch"))
                .train(TrainingRequest.of(model("llama-3.1-8b"), TrainingMethod.parse("full")));
        TrainingPlan plan = best(answer);
        assertThat(plan.devices()).isEqualTo(8);
        assertThat(plan.memory().fits()).isTrue();
        assertThat(ids(plan.members())).hasSize(8).startsWith("cuda:0");
        assertThat(Planner.explain(plan).step()).isNotEmpty();
    }

    @Test
    void fitTellsWhatEachFormatHoldsAndRecommendsOne() {
        Planner.FitAnswer answer =
                Planner.of(hosts("rtx-4090:1")).fit(LLAMA_8B, ServingChoices.USUAL.withEngine(ServingEngine.LLAMA_CPP));
        assertThat(answer.problem()).isEmpty();
        assertThat(answer.fits()).extracting(fit -> fit.format().label()).contains("bf16", "q8_0", "q4_k_m");
        FormatFit recommended = answer.findRecommended().orElseThrow();
        assertThat(recommended.isAny()).isTrue();
        assertThat(answer.fits())
                .allMatch(fit -> fit.plan().isEmpty()
                        || fit.format().weightBits() <= recommended.format().weightBits());
    }

    @Test
    void aGgufFormatIsServedByLlamaCpp() {
        ServingPlan plan = serve(hosts("h100-sxm:1"), LLAMA_8B.withFormat(WeightFormat.parse("q4_k_m")));
        assertThat(plan.software()).isEqualTo(ServingEngine.LLAMA_CPP);
    }
}
