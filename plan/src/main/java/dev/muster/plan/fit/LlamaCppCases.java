package dev.muster.plan.fit;

import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.time.LlamaCppModel;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.WeightParts;

/// Rows of llama.cpp and of programs around it.
final class LlamaCppCases {
    /// The last table of builds that write scores to memory.
    private static final String PLAIN_BUILD = "2024-05";

    private LlamaCppCases() {}

    static MeasuredCase.Prediction prediction(
            TruthRow row, ModelShape shape, WeightParts weights, DeviceFigures device) {
        boolean flash = !row.text("engine_version").equals(PLAIN_BUILD);
        int devices = row.degree("pp");
        double input = row.number("input_len");
        double output = row.number("output_len");
        double depth = row.number("context_depth");
        if (row.text("metric").equals("prefill_tok_s")) {
            return c -> input
                    / new LlamaCppModel(shape, weights, device, devices, flash, c)
                            .prefill(input, depth)
                            .seconds();
        }
        double batch = Math.max(1, row.number("batch"));
        double before = (row.text("context_depth").isEmpty() ? input : depth) + output / 2;
        return c -> batch
                / new LlamaCppModel(shape, weights, device, devices, flash, c)
                        .decode(batch, before)
                        .seconds();
    }
}
