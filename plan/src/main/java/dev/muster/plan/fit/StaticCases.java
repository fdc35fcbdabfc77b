package dev.muster.plan.fit;

import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.StepLayout;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.ServingProfile;
import dev.muster.plan.time.StepModel;
import dev.muster.plan.time.WeightParts;

/// Rows of engines that ran batches of a fixed size.
final class StaticCases {
    private StaticCases() {}

    static MeasuredCase.Prediction prediction(
            TruthRow row, ModelShape shape, WeightParts weights, DeviceFigures device) {
        String engine = engine(row);
        ServingProfile profile =
                new ServingProfile(engine, row.text("engine_version"), InferenceCases.weightFormat(row), device);
        StepLayout layout = new StepLayout(row.degree("tp"), row.degree("pp"), row.degree("ep"), row.degree("attn_dp"));
        double kvBytes = row.text("kv_dtype").equals("fp8") ? 1 : 2;
        double batch = Math.max(1, row.number("batch"));
        double input = Math.max(1, row.number("input_len"));
        double output = Math.max(1, row.number("output_len"));
        String metric = row.text("metric");
        boolean copies = row.text("note").startsWith("prompt of a few tokens")
                && !row.text("note").contains("static KV reuse");
        return c -> {
            StepModel model = new StepModel(
                    shape,
                    weights,
                    device,
                    profile.rates(c),
                    layout,
                    copies ? kvBytes * c.factor(engine + "/kv-copies") : kvBytes);
            if (metric.equals("tpot_ms")) {
                return 1e3 * model.stage(batch, 1, input + output / 2).seconds();
            }
            double first = model.stage(batch, input, 0).seconds();
            if (metric.equals("ttft_ms")) {
                return 1e3 * first;
            }
            double step = model.stage(batch, 1, input + output / 2).seconds();
            double seconds = first + (output - 1) * step;
            return metric.equals("e2e_latency_s") ? seconds : batch * output / seconds;
        };
    }

    /// Static tables of TensorRT-LLM are older than its batching in flight, and so are their kernels.
    private static String engine(TruthRow row) {
        String engine = ServingEngines.of(row);
        return engine.equals("tensorrt-llm") ? "tensorrt-llm-early" : engine;
    }
}
