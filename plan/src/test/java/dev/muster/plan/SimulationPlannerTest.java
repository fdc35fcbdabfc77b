// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import static dev.muster.testing.plan.PlanHosts.hosts;
import static dev.muster.testing.plan.PlanHosts.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.serving.RequestTrace;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.SimulationRequest.Replicas;
import dev.muster.plan.serving.SimulationRequest.Router;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Slo.LatencyMetric;
import dev.muster.plan.serving.Slo.LatencyStatistic;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.ServingProfile;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Loads on planned deployments.
class SimulationPlannerTest {
    private static final Planner EIGHT = Planner.of(hosts("[h100-sxm:8 nvswitch]"));
    private static final ServingRequest LLAMA =
            ServingRequest.of(model("llama-3.1-8b")).withTokens(1024, 256);

    private static ServingSimulation simulate(SimulationRequest request, ServingEngine engine) {
        PlanAnswer<ServingSimulation> answer = EIGHT.simulate(request, ServingChoices.USUAL.withEngine(engine));
        return ((PlanAnswer.Feasible<ServingSimulation>) answer).best();
    }

    private static SimulationRequest users(int count) {
        return SimulationRequest.of(LLAMA, new ServingLoad.Users(count));
    }

    private static Replicas fleet(int tensor, int replicas, int decode) {
        return new Replicas(tensor, replicas, decode, 50e9, Router.LEAST_LOADED);
    }

    /// A single user never waits for others: the simulation says what the plan does, and what passes before the engine.
    @Test
    void aUserAloneSeesThePlan() {
        ServingSimulation alone = simulate(users(1).withFleet(fleet(1, 1, 0)), ServingEngine.VLLM);
        double tpot = alone.plan().timePerOutputToken().p50();
        assertThat(alone.figures().timePerOutputToken().mean()).isCloseTo(tpot, within(0.02 * tpot));
        ServingProfile.FirstToken before = new ServingProfile(
                        "vllm",
                        "",
                        alone.plan().request().format(),
                        alone.plan().pool().device())
                .firstToken(CoefficientTable.builtIn(), "");
        double ttft = alone.plan().timeToFirstToken().p50() + before.fixed() + before.perUser();
        assertThat(alone.figures().timeToFirstToken().mean()).isCloseTo(ttft, within(0.1 * ttft));
    }

    @Test
    void theLayoutIsTheOneThatWasAskedFor() {
        ServingSimulation four = simulate(users(32).withFleet(fleet(2, 4, 0)), ServingEngine.VLLM);
        assertThat(four.plan().layout().tp()).isEqualTo(2);
        assertThat(four.replicas()).isEqualTo(4);
        PlanAnswer<ServingSimulation> none = EIGHT.simulate(users(32).withFleet(fleet(8, 2, 0)), ServingChoices.USUAL);
        assertThat(none)
                .isInstanceOfSatisfying(
                        PlanAnswer.Unanswered.class,
                        answer -> assertThat(answer.reason()).isEqualTo(Shortfall.of(Shortfall.Cause.NO_ROOM, 2, 8)));
    }

    /// TP 2 holds the model, and a replica is no more devices than that.
    @Test
    void aGivenTpGetsNoMoreStagesThanNeeded() {
        SimulationRequest request = SimulationRequest.of(
                        ServingRequest.of(model("qwen3-32b")).withTokens(1024, 256), new ServingLoad.Users(32))
                .withFleet(fleet(2, 1, 0));
        assertThat(simulate(request, ServingEngine.VLLM).plan().layout().pp()).isEqualTo(1);
    }

    /// TensorRT-LLM keeps prompts whole, and reads 8192 tokens a step by default.
    @Test
    void aStepHoldsTheLongestPromptOfAnEngineThatKeepsPromptsWhole() {
        SimulationRequest request = SimulationRequest.of(
                ServingRequest.of(model("llama-3.1-8b")).withTokens(9000, 256), new ServingLoad.Users(4));
        ServingSimulation simulation = simulate(request, ServingEngine.TENSORRT_LLM);
        assertThat(simulation.scheduler().tokenBudget()).isGreaterThanOrEqualTo(9000);
        assertThat(simulation.figures().answered()).isPositive();
        assertThat(simulation.rejected()).isZero();
    }

    @Test
    void promptsThatNoStepHoldsAreRefused() {
        SimulationRequest request = SimulationRequest.of(
                        ServingRequest.of(model("llama-3.1-8b")).withTokens(9000, 256), new ServingLoad.Users(4))
                .asBenchmark()
                .withOptions(Map.of("max-num-tokens", "8192"));
        assertThat(EIGHT.simulate(request, ServingChoices.USUAL.withEngine(ServingEngine.TENSORRT_LLM)))
                .isInstanceOfSatisfying(PlanAnswer.Unanswered.class, answer -> {
                    assertThat(answer.reason().cause()).isEqualTo(Shortfall.Cause.ALL_REJECTED);
                    assertThat(answer.reason().values().subList(0, 2)).isEqualTo(List.of(9000, 8192));
                });
    }

    @Test
    void prefillAndDecodeCanBeApart() {
        ServingSimulation apart = simulate(users(64).withFleet(fleet(1, 8, 4)), ServingEngine.VLLM);
        assertThat(apart.replicas()).isEqualTo(4);
        assertThat(apart.decodeReplicas()).isEqualTo(4);
        assertThat(apart.figures().answered()).isEqualTo(2000);
    }

    @Test
    void promptsThatRunAloneKeepDecodesWaiting() {
        SimulationRequest busy = users(64).withFleet(fleet(1, 1, 0));
        ServingSimulation sglang = simulate(busy, ServingEngine.SGLANG);
        assertThat(sglang.scheduler().prompts()).isEqualTo("alone");
        ServingSimulation vllm = simulate(busy, ServingEngine.VLLM);
        assertThat(vllm.scheduler().prompts()).isEqualTo("mixed");
        assertThat(sglang.figures().timePerOutputToken().mean())
                .isNotEqualTo(vllm.figures().timePerOutputToken().mean());
        assertThat(vllm.notes())
                .anyMatch(note -> note.topic() == PlanNote.Topic.SCHEDULER
                        && note.values().getLast().toString().contains("vllm/engine/arg_utils.py"));
    }

    @Test
    void optionsOfTheEngineCount() {
        SimulationRequest usual = users(64).withFleet(fleet(1, 1, 0));
        SimulationRequest few = usual.withOptions(Map.of("max-num-seqs", "8"));
        ServingSimulation simulation = simulate(few, ServingEngine.VLLM);
        assertThat(simulation.scheduler().maxSequences()).isEqualTo(8);
        assertThat(simulation.running()).allMatch(running -> running <= 8);
        assertThat(simulation.figures().timeToFirstToken().mean())
                .isGreaterThan(2
                        * simulate(usual, ServingEngine.VLLM)
                                .figures()
                                .timeToFirstToken()
                                .mean());
    }

    @Test
    void aCurveRisesToItsKneeAndIsOfTheSameDeployment() {
        SimulationRequest request = users(64).withFleet(fleet(1, 1, 0));
        ServingSimulation simulation = simulate(request, ServingEngine.VLLM);
        List<ServingSimulation.LoadPoint> curve = EIGHT.loadCurve(request, simulation.plan());
        assertThat(curve).hasSize(10);
        ServingSimulation.LoadPoint knee = ServingSimulation.findKnee(curve).orElseThrow();
        assertThat(knee.load()).isBetween(2.0, 512.0);
        assertThat(curve.stream()
                        .filter(point -> point.load() == 64)
                        .findFirst()
                        .orElseThrow()
                        .figures())
                .isEqualTo(simulation.figures());
        assertThat(ServingSimulation.findKnee(List.of())).isEmpty();
    }

    @Test
    void aTraceThatIsReplayedFasterIsHarder() {
        StringBuilder text = new StringBuilder("timestamp,input,output\n");
        for (int i = 0; i < 400; i++) {
            text.append(i * 0.05).append(",1500,200\n");
        }
        RequestTrace trace = RequestTrace.parse(text.toString());
        SimulationRequest slow =
                SimulationRequest.of(LLAMA, new ServingLoad.Replay(trace)).withFleet(fleet(1, 1, 0));
        SimulationRequest fast = slow.withLoad(new ServingLoad.Replay(trace.faster(4)));
        assertThat(simulate(fast, ServingEngine.VLLM)
                        .figures()
                        .timeToFirstToken()
                        .p99())
                .isGreaterThan(simulate(slow, ServingEngine.VLLM)
                        .figures()
                        .timeToFirstToken()
                        .p99());
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> new Replicas(0, 2, 2, 50e9, Router.PREFIX))
                .hasMessageContaining("leave none for prefill");
        assertThatThrownBy(() -> new ServingLoad.Users(0)).hasMessage("there are 1 to 1000000 users");
        assertThatThrownBy(() -> Slo.NONE.with(LatencyMetric.TTFT, LatencyStatistic.P99, Duration.ZERO))
                .hasMessage("an objective is above 0");
    }
}
