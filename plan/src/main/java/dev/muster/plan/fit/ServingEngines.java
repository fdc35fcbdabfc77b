package dev.muster.plan.fit;

import java.util.Set;

/// Serving engines that have coefficients of their own.
final class ServingEngines {
    private static final String USUAL = "vllm";
    private static final Set<String> KNOWN = Set.of(USUAL, "tensorrt-llm", "optimum-habana", "transformers-neuronx");

    private ServingEngines() {}

    /// The engine of a row; one that nobody measured is taken for vLLM.
    static String of(TruthRow row) {
        String engine = row.text("engine");
        return KNOWN.contains(engine) ? engine : USUAL;
    }
}
