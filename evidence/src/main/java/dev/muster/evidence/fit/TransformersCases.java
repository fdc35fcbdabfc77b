// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.TransformersModel;
import dev.muster.plan.time.WeightParts;

/// Predictions of rows of Hugging Face Transformers without a serving engine.
final class TransformersCases {
    private static final String ENGINE = "transformers";

    private TransformersCases() {}

    static boolean has(TruthRow row) {
        return row.text("engine").equals(ENGINE);
    }

    static MeasuredCase.Prediction of(TruthRow row, ModelShape shape, WeightParts weights, DeviceFigures device) {
        String kernel = kernel(row);
        double batch = Math.max(1, row.number("batch"));
        double input = Math.max(1, row.number("input_len"));
        double output = Math.max(1, row.number("output_len"));
        String metric = row.text("metric");
        return c -> {
            TransformersModel model = new TransformersModel(shape, weights, device, kernel, c);
            double step = model.step(batch, input + output / 2);
            double first = model.prompt(batch, input);
            return switch (metric) {
                case "tpot_ms" -> 1e3 * step;
                case "ttft_ms" -> 1e3 * first;
                case "prefill_tok_s" -> batch * input / first;
                case "e2e_latency_s" -> first + (output - 1) * step;
                default -> batch * output / (first + (output - 1) * step);
            };
        };
    }

    private static String kernel(TruthRow row) {
        return switch (row.text("weight_dtype")) {
            case "int8", "fp8" -> "8-bit";
            case "int4" -> row.text("note").startsWith("AWQ") ? "awq" : "gptq";
            default -> "16-bit";
        };
    }
}
