// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.plan.time.Coefficients;

/// The prediction of a run of a known deployment; its other runs show the prediction's error.
///
/// @param prediction the predicted value
/// @param deployment model, device, engine, weight format and degrees, which runs must share to inform each other
/// @param users number of users
/// @param input tokens of a prompt
/// @param output tokens of an answer
record DeployedRun(MeasuredCase.Prediction prediction, String deployment, double users, double input, double output)
        implements MeasuredCase.Prediction {
    /// Returns the run of a row under a load of users.
    static DeployedRun of(TruthRow row, MeasuredCase.Prediction prediction) {
        // DeepSeek's two names have one architecture.
        String deployment = String.join(
                "|",
                row.text("model").replace("deepseek-r1", "deepseek-v3"),
                row.text("device"),
                row.text("engine"),
                row.text("weight_dtype"),
                row.text("tp"),
                row.text("ep"),
                row.text("attn_dp"));
        return new DeployedRun(
                prediction, deployment, row.number("concurrency"), row.number("input_len"), row.number("output_len"));
    }

    @Override
    public double with(Coefficients coefficients) {
        return prediction.with(coefficients);
    }

    @Override
    public MeasuredCase.Prediction around(Coefficients coefficients) {
        return prediction.around(coefficients);
    }
}
