// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.time.LlamaBuild;
import dev.muster.plan.time.LlamaCppModel;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.WeightParts;
import java.util.Set;

/// Predictions of rows of llama.cpp and of programs around it.
final class LlamaCppCases {
    private static final Set<String> ENGINES = Set.of("llama.cpp", "ollama", "lmstudio");
    /// The last table of builds that write scores to memory.
    private static final String PLAIN_BUILD = "2024-05";
    /// Behind a long context, the Strix Halo tables take larger micro-batches with ROCm (from memory; their figures
    /// agree).
    private static final double LARGE_MICRO_BATCH = 2048;

    private LlamaCppCases() {}

    static boolean has(TruthRow row) {
        return ENGINES.contains(row.text("engine"));
    }

    static MeasuredCase.Prediction of(TruthRow row, ModelShape shape, WeightParts weights, DeviceFigures device) {
        LlamaBuild build = build(row);
        int devices = row.degree("pp");
        double input = row.number("input_len");
        double output = row.number("output_len");
        double depth = row.number("context_depth");
        if (row.text("metric").equals("prefill_tok_s")) {
            return c -> input
                    / new LlamaCppModel(shape, weights, device, devices, build, c)
                            .prefill(input, depth)
                            .seconds();
        }
        double batch = Math.max(1, row.number("batch"));
        double before = (row.text("context_depth").isEmpty() ? input : depth) + output / 2;
        String metric = row.text("metric");
        return c -> {
            LlamaCppModel model = new LlamaCppModel(shape, weights, device, devices, build, c);
            double step = model.decode(batch, before).seconds();
            return switch (metric) {
                case "tpot_ms" -> 1e3 * step;
                case "ttft_ms" -> 1e3 * model.prefill(input, depth).seconds();
                case "e2e_latency_s" -> batch * model.prefill(input, depth).seconds() + (output - 1) * step;
                default -> batch / step;
            };
        };
    }

    private static LlamaBuild build(TruthRow row) {
        String note = row.text("note");
        boolean isLarge = note.startsWith("ROCm rocm") && row.number("context_depth") > 0;
        String backend = note.startsWith("Vulkan") ? note.contains("amdvlk") ? "amdvlk" : "vulkan" : "";
        return new LlamaBuild(
                !row.text("engine_version").equals(PLAIN_BUILD),
                backend,
                isLarge ? LARGE_MICRO_BATCH : LlamaBuild.USUAL.microBatch());
    }
}
