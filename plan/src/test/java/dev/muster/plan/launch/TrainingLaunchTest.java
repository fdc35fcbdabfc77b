// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import static dev.muster.testing.plan.PlanHosts.hosts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.Planner;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.ask.Question;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingPrecision;
import dev.muster.plan.training.TrainingRequest;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Launches of trainings, as their programs accept them and the plan means them.
class TrainingLaunchTest {
    private static final String SUPERPOD = "[h200-sxm:8 nvswitch ib:8x400]";

    private static ModelSummary model(String name) {
        return ModelCatalogue.builtIn().find(name).orElseThrow().toSummary();
    }

    private static TrainingPlan plan(String name, TrainingRequest request, String host, int hosts) {
        return Planner.of(hosts(host))
                .withHosts(hosts)
                .train(request, Optional.of(TrainingFramework.MEGATRON), false)
                .findFirst()
                .orElseThrow(() -> new AssertionError(name));
    }

    private static String text(TrainingPlan plan, LaunchTarget target) {
        LaunchAnswer answer = Launcher.emit(plan, target);
        assertThat(answer).isInstanceOf(LaunchAnswer.Emitted.class);
        return ((LaunchAnswer.Emitted) answer).artifacts().getFirst().text();
    }

    private static TrainingRequest request(String model) {
        return TrainingRequest.of(model(model), TrainingMethod.Simple.FULL_FINE_TUNE)
                .withBatch(64);
    }

    @Test
    void expertsOfADeviceAreOneProduct() {
        assertThat(text(plan("qwen3", request("qwen3-30b-a3b"), "h100-sxm:8", 4), LaunchTarget.MEGATRON_LM))
                .contains("--moe-grouped-gemm \\\n");
        assertThat(text(plan("llama", request("llama-3.1-8b"), "h100-sxm:8", 1), LaunchTarget.MEGATRON_LM))
                .doesNotContain("--moe-grouped-gemm");
    }

    @Test
    void deepSeekIsRoutedAsItsConfigurationSays() {
        assertThat(text(plan("deepseek", request("deepseek-v3"), SUPERPOD, 16), LaunchTarget.MEGATRON_LM))
                .contains(
                        "--moe-router-score-function sigmoid",
                        "--moe-router-num-groups 8",
                        "--moe-router-group-topk 4",
                        "--moe-router-topk-scaling-factor 2.5",
                        "--moe-router-enable-expert-bias",
                        "--rotary-scaling-factor 40",
                        "--mscale-all-dim 1.0");
    }

    @Test
    void theSoftmaxOfDeepSeekV2GoesOverAllExperts() {
        assertThat(text(plan("deepseek", request("deepseek-v2-lite"), "h100-sxm:8", 4), LaunchTarget.MEGATRON_LM))
                .contains("--moe-router-pre-softmax \\\n", "--mscale 0.707")
                .doesNotContain("--moe-router-num-groups");
    }

    @Test
    void processesAreThoseOfThePlanAndTheMachine() {
        TrainingPlan plan = plan("deepseek", request("deepseek-v3"), SUPERPOD, 16);
        int each = plan.devices() / plan.hosts();
        assertThat(plan.hosts()).isLessThanOrEqualTo(16);
        assertThat(each).isLessThanOrEqualTo(8);
        assertThat(text(plan, LaunchTarget.MEGATRON_LM))
                .contains("--nnodes " + plan.hosts() + " ", "--nproc-per-node " + each + " ");
    }

    @Test
    void gradientsAreReducedDuringTheBackwardPass() {
        assertThat(text(plan("llama", request("llama-3.1-8b"), "h100-sxm:8", 2), LaunchTarget.MEGATRON_LM))
                .contains("--use-distributed-optimizer", "--overlap-grad-reduce", "--overlap-param-gather");
    }

    /// One word for two modules would be the name of none.
    @Test
    void eachRecomputedModuleIsAWordOfItsOwn() {
        LaunchFacts facts = TrainingFacts.of(plan("mixtral", request("mixtral-8x7b"), "h100-sxm:8", 4))
                .with(LaunchFact.RECOMPUTE, "selective");
        assertThat(Launcher.emit(LaunchTarget.MEGATRON_LM, facts).toString())
                .contains("--recompute-modules layernorm \\\n    moe_act \\\n");
    }

    /// Megatron core refuses to recompute norms with the scales of earlier passes.
    @Test
    void eightBitProductsThatAreRecomputedHaveScalesOfTheirOwn() {
        LaunchFacts facts = TrainingFacts.of(
                        plan("llama", request("llama-3.1-8b").withPrecision(TrainingPrecision.FP8), "h100-sxm:8", 1))
                .with(LaunchFact.RECOMPUTE, "selective");
        assertThat(Launcher.emit(LaunchTarget.MEGATRON_LM, facts).toString()).contains("--fp8-recipe tensorwise");
    }

    @Test
    void hostsOfAccelerateWithDeepSpeedNeedNoListOfNames() {
        LaunchFacts facts = TrainingFacts.of(plan("llama", request("llama-3.1-8b"), "h100-sxm:8", 2))
                .with(LaunchFact.ZERO_STAGE, 1)
                .with(LaunchFact.TENSOR, 1)
                .with(LaunchFact.STAGES, 1)
                .with(LaunchFact.CONTEXT_PARALLEL, 1);
        assertThat(Launcher.emit(LaunchTarget.ACCELERATE, facts).toString())
                .contains("--deepspeed_multinode_launcher standard");
    }

    @Test
    void aTargetOfTrainingImpliesItsFramework() {
        for (LaunchTarget target : new LaunchTarget[] {LaunchTarget.ACCELERATE, LaunchTarget.DEEPSPEED}) {
            Answer.Trained answer = Question.train(
                            model("llama-3.1-70b"), ParameterValues.NONE.with(Parameters.EMIT, target))
                    .ask(Planner.of(hosts("h100-sxm:8")).withHosts(4));
            assertThat(answer.answer().findFirst().orElseThrow().software()).isEqualTo(TrainingFramework.PYTORCH);
            assertThat(answer.launch().orElseThrow()).isInstanceOf(LaunchAnswer.Emitted.class);
        }
    }
}
