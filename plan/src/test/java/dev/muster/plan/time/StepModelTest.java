// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.Provenance;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Parallelism;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/// Laws of the cost model, at places drawn with a fixed seed.
class StepModelTest {
    private static final CoefficientTable FITTED = CoefficientTable.builtIn();
    private static final ModelCatalogue MODELS = ModelCatalogue.builtIn();
    private static final DeviceFigures H200 =
            DeviceFigures.of(DeviceCatalogue.builtIn().find("h200-sxm").orElseThrow());
    private static final Random RANDOM = new Random(5);

    @RepeatedTest(50)
    void smoothExtremesAreBeyondBothAndWithinAFifth() {
        double x = Math.exp(RANDOM.nextDouble(-20, 20));
        double y = x * Math.exp(RANDOM.nextDouble(-3, 3));
        assertThat(Smooth.max(x, y)).isBetween(Math.max(x, y) * (1 - 1e-12), Math.max(x, y) * 1.1893);
        assertThat(Smooth.min(x, y)).isBetween(Math.min(x, y) / 1.1893, Math.min(x, y) * (1 + 1e-12));
    }

    @RepeatedTest(50)
    void moreWorkIsNeverFaster() {
        int sequences = RANDOM.nextInt(1, 2000);
        int context = RANDOM.nextInt(1, 100_000);
        for (String model : List.of("llama-3.1-70b", "qwen3-235b-a22b", "deepseek-v3")) {
            StepModel step = step(model, H200);
            double time = step.stage(sequences, 1, context).seconds();
            assertThat(step.stage(sequences + 1, 1, context).seconds()).isGreaterThanOrEqualTo(time);
            assertThat(step.stage(sequences, 1, context + 1000).seconds()).isGreaterThanOrEqualTo(time);
        }
    }

    @RepeatedTest(50)
    void moreBandwidthIsNeverSlower() {
        int sequences = RANDOM.nextInt(1, 2000);
        DeviceFigures better = H200.times(RANDOM.nextDouble(1, 10), 1, Provenance.GIVEN);
        double usual = step("llama-3.1-70b", H200).stage(sequences, 1, 1000).seconds();
        assertThat(step("llama-3.1-70b", better).stage(sequences, 1, 1000).seconds())
                .isLessThanOrEqualTo(usual * (1 + 1e-12));
    }

    @RepeatedTest(50)
    void attentionOverTwoPiecesIsThatOverTheWhole() {
        int before = RANDOM.nextInt(50_000);
        int first = RANDOM.nextInt(1, 5000);
        int second = RANDOM.nextInt(1, 5000);
        for (String model : List.of("llama-3.1-8b", "gpt-oss-120b", "gemma-3-4b")) {
            ModelShape shape = ModelShape.of(architecture(model)).orElseThrow();
            double together = shape.attentionPairs(before, first + second);
            double apart = shape.attentionPairs(before, first) + shape.attentionPairs(before + first, second);
            assertThat(together).isBetween(apart * (1 - 1e-9), apart * (1 + 1e-9));
        }
    }

    /// Two all-reduces a layer with TP; the link is as fast in both cases.
    @Test
    void eachCollectiveBetweenHostsTakes25MicrosecondsLonger() {
        StepModel inside = step("llama-3.1-70b", H200);
        StepModel between = new StepModel(
                inside.shape(),
                inside.weights(),
                H200.overNetwork(H200.link()),
                inside.rates(),
                inside.layout(),
                inside.kvBytes());
        double longer =
                between.stage(16, 1, 1000).links() - inside.stage(16, 1, 1000).links();
        assertThat(longer).isCloseTo(80 * 2 * 25e-6, within(1e-9));
        assertThat(between.stage(16, 1, 1000).seconds())
                .isCloseTo(inside.stage(16, 1, 1000).seconds() + longer, within(1e-9));
    }

    private static StepModel step(String model, DeviceFigures device) {
        WeightParts weights = WeightParts.of(
                StoredWeights.of(architecture(model), StandardFormat.FP8).find().orElseThrow());
        EngineRates rates = new ServingProfile("tensorrt-llm", "", StandardFormat.FP8, device).rates(FITTED, 1);
        ModelShape shape = ModelShape.of(architecture(model)).orElseThrow();
        return new StepModel(shape, weights, device, rates, new Parallelism(8, 1, 1, 1), 1);
    }

    private static ModelArchitecture architecture(String model) {
        return MODELS.find(model).orElseThrow().architecture();
    }
}
