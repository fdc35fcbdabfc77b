package dev.muster.plan.fit;

import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.StepLayout;
import dev.muster.plan.time.EngineRates;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.OfflineLoad;
import dev.muster.plan.time.ServingProfile;
import dev.muster.plan.time.StepModel;
import dev.muster.plan.time.WeightParts;

/// Rows of engines that were given all requests at once.
final class OfflineCases {
    private OfflineCases() {}

    static MeasuredCase.Prediction prediction(
            TruthRow row, ModelShape shape, WeightParts weights, DeviceFigures sheet) {
        DeviceFigures device = joined(row, sheet);
        ServingProfile engine = new ServingProfile(
                ServingEngines.of(row), row.text("engine_version"), InferenceCases.weightFormat(row), device);
        StepLayout layout = layout(row);
        double kvBytes = row.text("kv_dtype").equals("fp8") ? 1 : 2;
        double input = row.number("input_len");
        double output = row.number("output_len");
        double cap = row.number("batch") > 0 ? row.number("batch") : 2048;
        OfflineLoad load = new OfflineLoad(input, output, requests(input + output), cap);
        return coefficients -> {
            EngineRates rates = engine.rates(coefficients);
            StepModel model = new StepModel(shape, weights, device, rates, layout, kvBytes);
            double room = engine.kvRoom(coefficients, weights, layout);
            return load.tokensPerSecond(model, layout, room) * engine.release(coefficients);
        };
    }

    /// Pairs of GH200 boards behave as if NVLink did not join them. Nobody says how they are joined: the rate is what
    /// their own rows suggest.
    private static DeviceFigures joined(TruthRow row, DeviceFigures device) {
        return device.id().startsWith("gh200") && row.count("n_devices") == 2 ? device.overNetwork(17e9) : device;
    }

    /// TensorRT-LLM 1.0 gave each device sequences of its own where it shared experts; its notes on reproducing say
    /// so, its table does not.
    private static StepLayout layout(TruthRow row) {
        int tensor = row.degree("tp");
        int expert = row.degree("ep");
        boolean unsaid = row.text("engine_version").equals("v1.0")
                && expert == tensor
                && row.text("attn_dp").isEmpty();
        return unsaid
                ? new StepLayout(1, row.degree("pp"), expert, tensor)
                : new StepLayout(tensor, row.degree("pp"), expert, row.degree("attn_dp"));
    }

    /// The benchmark sends fewer requests the longer they are: counts from TensorRT-LLM's performance overview, the
    /// lengths between them recalled.
    private static double requests(double tokens) {
        return tokens <= 256 ? 30_000 : tokens <= 2_500 ? 3_000 : tokens <= 6_000 ? 1_500 : 1_000;
    }
}
