// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.WeightFormat;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.cost.StepTerm.StepPart;
import dev.muster.plan.cost.StepTime;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The explanation of a step: its terms add up to its time, part by part.
class StepTermsTest {
    private static final CoefficientTable FITTED = CoefficientTable.builtIn();

    private static final class Sums implements StepLedger {
        final Map<StepPart, Double> seconds = new EnumMap<>(StepPart.class);

        @Override
        public void add(
                StepPart part,
                String what,
                double bytes,
                double bytesPerSecond,
                double operations,
                double operationsPerSecond,
                double fixed,
                double time) {
            seconds.merge(part, time, Double::sum);
        }

        @Override
        public void stretch(double factor) {
            seconds.replaceAll((_, time) -> factor * time);
        }

        void assertAddUpTo(StepTime step) {
            assertPart(StepPart.PRODUCTS, step.products());
            assertPart(StepPart.EXPERTS, step.experts());
            assertPart(StepPart.ATTENTION, step.attention());
            assertPart(StepPart.HEAD, step.head());
            assertPart(StepPart.HOST, step.host());
            assertPart(StepPart.LINKS, step.links());
        }

        private void assertPart(StepPart part, double expected) {
            assertThat(seconds.getOrDefault(part, 0.0)).as(part.name()).isCloseTo(expected, within(1e-9 * expected));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"llama-3.1-70b", "qwen3-235b-a22b", "deepseek-v3", "qwen3-next-80b-a3b"})
    void ofAServingEngine(String model) {
        DeviceFigures device = device("h200-sxm");
        EngineRates rates = new ServingProfile("tensorrt-llm", "", WeightFormat.parse("fp8"), device).rates(FITTED, 1);
        for (Parallelism layout : new Parallelism[] {new Parallelism(8, 1, 1, 1), new Parallelism(4, 2, 1, 1)}) {
            StepModel engine = new StepModel(shape(model), weights(model, "fp8"), device, rates, layout, 1);
            Sums decode = new Sums();
            decode.assertAddUpTo(engine.stage(16, 1, 1000, decode));
            Sums prompt = new Sums();
            prompt.assertAddUpTo(engine.stage(2, 500, 100, prompt));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"llama-3.1-8b", "qwen3-30b-a3b"})
    void ofLlamaCpp(String model) {
        LlamaCppModel engine =
                new LlamaCppModel(shape(model), weights(model, "q4_k_m"), device("rtx-4090"), 2, true, FITTED);
        Sums decode = new Sums();
        decode.assertAddUpTo(engine.decode(4, 1000, decode));
        Sums prompt = new Sums();
        prompt.assertAddUpTo(engine.prefill(500, 100, prompt));
    }

    private static DeviceFigures device(String id) {
        return DeviceFigures.of(DeviceCatalogue.builtIn().find(id).orElseThrow());
    }

    private static ModelShape shape(String model) {
        return ModelShape.of(architecture(model)).orElseThrow();
    }

    private static WeightParts weights(String model, String format) {
        return WeightParts.of(StoredWeights.of(architecture(model), WeightFormat.parse(format))
                .find()
                .orElseThrow());
    }

    private static ModelArchitecture architecture(String model) {
        return ModelCatalogue.builtIn().find(model).orElseThrow().architecture();
    }
}
