package dev.muster.plan.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.OperationRate;
import dev.muster.plan.ModelArchitecture;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.Precision;
import dev.muster.plan.memory.FormatNames;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/// Mistakes that other estimators make: a test for each that it cannot come back here. That a laptop's part is never
/// taken for the desktop's of the same name is a test of the catalogue.
class EstimatorMistakesTest {
    private static final ModelCatalogue MODELS = ModelCatalogue.builtIn();
    private static final DeviceCatalogue DEVICES = DeviceCatalogue.builtIn();
    private static final CoefficientTable FITTED = CoefficientTable.builtIn();

    @Test
    void onlyLayersThatAttendKeepKeysAndValuesInHybrids() {
        ModelShape hybrid = shape("qwen3.5-27b");
        assertThat(hybrid.keptTokens(1000)).isEqualTo(1000 * hybrid.layers() / 4);
        ModelShape local = shape("gpt-oss-120b");
        assertThat(local.keptTokens(100_000))
                .isEqualTo(100_000 * local.layers() / 2 + local.window() * local.layers() / 2);
    }

    @Test
    void compressedKeysAreNotDividedAmongDevices() {
        assertThat(step("deepseek-v3", "fp8", "h200-sxm", new StepLayout(8, 1, 1, 1))
                        .sequenceBytes(1000))
                .isEqualTo(step("deepseek-v3", "fp8", "h200-sxm", StepLayout.SINGLE)
                        .sequenceBytes(1000));
        assertThat(step("llama-3.1-70b", "fp8", "h200-sxm", new StepLayout(8, 1, 1, 1))
                        .sequenceBytes(1000))
                .isCloseTo(
                        step("llama-3.1-70b", "fp8", "h200-sxm", StepLayout.SINGLE)
                                        .sequenceBytes(1000)
                                / 8,
                        Percentage.withPercentage(1e-9));
        // More devices than key heads: each keeps one head at least.
        assertThat(step("llama-3.1-70b", "fp8", "h200-sxm", new StepLayout(16, 1, 1, 1))
                        .sequenceBytes(1000))
                .isEqualTo(step("llama-3.1-70b", "fp8", "h200-sxm", new StepLayout(8, 1, 1, 1))
                        .sequenceBytes(1000));
    }

    @Test
    void expertsAreDividedByTheDevicesThatShareThem() {
        WeightParts weights = weights("qwen3-235b-a22b", "fp8");
        ServingProfile profile = new ServingProfile("tensorrt-llm", "v1.1", "fp8", device("h200-sxm"));
        double apart = profile.kvRoom(FITTED, weights, new StepLayout(1, 1, 8, 8));
        double together = profile.kvRoom(FITTED, weights, new StepLayout(1, 1, 4, 4));
        assertThat(apart - together)
                .isCloseTo(
                        FITTED.get("tensorrt-llm/kv-fraction")
                                * FITTED.factor("tensorrt-llm/kv-fraction/v1.1")
                                * weights.experts().bytes()
                                / 8,
                        Percentage.withPercentage(1));
    }

    @Test
    void theSpeedOfExpertsFollowsFromThoseThatATokenPasses() {
        double mixture = llama("qwen3-30b-a3b", "q8_0").decode(1, 100).seconds();
        double dense = llama("qwen3-32b", "q8_0").decode(1, 100).seconds();
        assertThat(mixture).isLessThan(dense / 3);
        // Many sequences touch nearly all experts.
        double many = llama("qwen3-30b-a3b", "q8_0").decode(32, 100).experts();
        assertThat(many)
                .isGreaterThan(5 * llama("qwen3-30b-a3b", "q8_0").decode(1, 100).experts());
    }

    @Test
    void peaksAreThoseWithoutStructuredSparsity() {
        assertThat(DEVICES.find("h100-sxm")
                        .orElseThrow()
                        .peak(Precision.FP16)
                        .find()
                        .map(OperationRate::teraPerSecond))
                .hasValueSatisfying(peak -> assertThat(peak).isBetween(980.0, 1000.0));
    }

    @Test
    void throughputFollowsBatchAndContext() {
        StepModel model = step("llama-3.1-8b", "fp16", "h100-sxm", StepLayout.SINGLE);
        double one = 1 / model.stage(1, 1, 1000).seconds();
        double many = 64 / model.stage(64, 1, 1000).seconds();
        double longer = 64 / model.stage(64, 1, 20_000).seconds();
        assertThat(many).isGreaterThan(20 * one);
        assertThat(longer).isLessThan(many / 2);
    }

    @Test
    void fewerBitsDoNotMakePromptsFaster() {
        assertThat(llama("llama-3-8b", "q4_k_m").prefill(2048, 0).seconds())
                .isGreaterThan(llama("llama-3-8b", "fp16").prefill(2048, 0).seconds());
    }

    @Test
    void moreDevicesHelpALargeModelMoreThanASmallOne() {
        double small = speedUp("llama-3.2-1b");
        double large = speedUp("llama-3.1-70b");
        assertThat(large).isGreaterThan(1.5 * small);
    }

    private static double speedUp(String model) {
        double alone = step(model, "fp8", "h200-sxm", StepLayout.SINGLE)
                .stage(1, 1, 1000)
                .seconds();
        return alone
                / step(model, "fp8", "h200-sxm", new StepLayout(8, 1, 1, 1))
                        .stage(1, 1, 1000)
                        .seconds();
    }

    private static StepModel step(String model, String format, String device, StepLayout layout) {
        DeviceFigures figures = device(device);
        EngineRates rates = new ServingProfile("tensorrt-llm", "", format, figures).rates(FITTED);
        return new StepModel(shape(model), weights(model, format), figures, rates, layout, 1);
    }

    private static LlamaCppModel llama(String model, String format) {
        return new LlamaCppModel(shape(model), weights(model, format), device("rtx-4090"), 1, true, FITTED);
    }

    private static DeviceFigures device(String id) {
        return DeviceFigures.of(DEVICES.find(id).orElseThrow());
    }

    private static ModelShape shape(String model) {
        return ModelShape.of(architecture(model)).orElseThrow();
    }

    private static WeightParts weights(String model, String format) {
        return WeightParts.of(
                FormatNames.weights(format, architecture(model)).find().orElseThrow());
    }

    private static ModelArchitecture architecture(String model) {
        return MODELS.find(model).orElseThrow().architecture();
    }
}
