// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.EngineRates;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.OfflineLoad;
import dev.muster.plan.time.ServingProfile;
import dev.muster.plan.time.StepModel;
import dev.muster.plan.time.WeightParts;
import java.util.Map;
import java.util.Set;

/// Predictions of rows of serving engines.
final class EngineCases {
    /// The first releases of the current generation of engines: vLLM's second engine, TensorRT-LLM on PyTorch.
    private static final Map<String, String> TODAY = Map.of("vllm", "0.9", "tensorrt-llm", "1.0");

    /// The release of TensorRT-LLM whose tables are the first of in-flight batching.
    private static final String IN_FLIGHT = "0.10";

    /// The release of vLLM from which its builds for AMD have kernels of their own.
    private static final String TUNED_PORT = "0.6";

    private static final String PORT = "vllm-port";
    private static final Set<DeviceFamily> PORTED = Set.of(DeviceFamily.AMD_HBM, DeviceFamily.OTHER);

    private EngineCases() {}

    /// Returns the prediction of an engine that received all requests at once.
    static MeasuredCase.Prediction offline(TruthRow row, ModelShape shape, WeightParts weights, DeviceFigures sheet) {
        DeviceFigures device = joined(row, sheet);
        ServingProfile engine = new ServingProfile(
                engine(row, device),
                row.text("engine_version"),
                ServingProfile.multiplied(InferenceCases.weightFormat(row), shape),
                device);
        Parallelism layout = layout(row);
        double kvBytes = kvBytes(row);
        double input = row.number("input_len");
        double output = row.number("output_len");
        double cap = row.number("batch") > 0 ? row.number("batch") : 2048;
        OfflineLoad load = new OfflineLoad(input, output, requests(input + output), cap);
        return coefficients -> {
            EngineRates rates = engine.rates(coefficients, kvBytes);
            StepModel model = new StepModel(shape, weights, device, rates, layout, kvBytes);
            double room = engine.kvRoom(coefficients, weights, layout);
            return load.tokensPerSecond(model, layout, room) * engine.release(coefficients);
        };
    }

    /// Returns the device figures of pairs of GH200 boards, which behave as if not joined by NVLink. Their link is
    /// not documented: the rate follows from their own rows.
    private static DeviceFigures joined(TruthRow row, DeviceFigures device) {
        return device.id().startsWith("gh200") && row.count("n_devices") == 2 ? device.overNetwork(17e9) : device;
    }

    /// Returns the layout of a row. TensorRT-LLM 1.0 gave each device sequences of its own with expert parallelism;
    /// its notes on reproducing say so, its table does not.
    private static Parallelism layout(TruthRow row) {
        int tensor = row.degree("tp");
        int expert = row.degree("ep");
        boolean unsaid = row.text("engine_version").equals("v1.0")
                && expert == tensor
                && row.text("attn_dp").isEmpty();
        return unsaid
                ? new Parallelism(1, row.degree("pp"), expert, tensor)
                : new Parallelism(tensor, row.degree("pp"), expert, row.degree("attn_dp"));
    }

    /// Returns the number of requests, which the benchmark lowers with their length: counts from TensorRT-LLM's
    /// performance overview, those of the lengths between from memory.
    private static double requests(double tokens) {
        return tokens <= 256 ? 30_000 : tokens <= 2_500 ? 3_000 : tokens <= 6_000 ? 1_500 : 1_000;
    }

    static MeasuredCase.Prediction ofBatches(
            TruthRow row, ModelShape shape, WeightParts weights, DeviceFigures device) {
        String engine = staticEngine(row, device);
        ServingProfile profile = new ServingProfile(
                engine,
                row.text("engine_version"),
                ServingProfile.multiplied(InferenceCases.weightFormat(row), shape),
                device);
        Parallelism layout =
                new Parallelism(row.degree("tp"), row.degree("pp"), row.degree("ep"), row.degree("attn_dp"));
        double kvBytes = kvBytes(row);
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
                    profile.rates(c, kvBytes),
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
            return metric.equals("e2e_latency_s") ? start(engine, device, c) + seconds : batch * output / seconds;
        };
    }

    /// Returns the seconds before the first step of a run that was not warmed up: the first ports compile kernels then.
    private static double start(String engine, DeviceFigures device, Coefficients c) {
        String name = engine + "/first-run";
        return engine.equals(PORT) ? c.get(name) * c.factor(name + "/device/" + device.id()) : 0;
    }

    /// Returns the engine of a static batch: releases of TensorRT-LLM before its tables of in-flight batching have
    /// kernels of their own.
    static String staticEngine(TruthRow row, DeviceFigures device) {
        String engine = engine(row, device);
        boolean isEarly = isBefore(row.text("engine_version"), IN_FLIGHT);
        return engine.startsWith("tensorrt-llm") && isEarly ? "tensorrt-llm-early" : engine;
    }

    /// Returns the engine of a row; vLLM for one without measurements. Releases before those of today have
    /// coefficients of their own, and so have its first ports to devices of other makers, before these had kernels
    /// written for them.
    static String engine(TruthRow row, DeviceFigures device) {
        String known = ServingEngine.find(row.text("engine"))
                .orElse(ServingEngine.VLLM)
                .label();
        String version = row.text("engine_version");
        boolean isPort = known.equals(ServingEngine.VLLM.label())
                && PORTED.contains(device.family())
                && isBefore(version, TUNED_PORT);
        return isPort ? PORT : isEarly(known, version) ? known + "-0" : known;
    }

    private static boolean isEarly(String engine, String version) {
        String today = TODAY.get(engine);
        return today != null && isBefore(version, today);
    }

    /// Reports whether a version is before a release; tables without a release, but with a year, are older.
    private static boolean isBefore(String version, String other) {
        String release = version.startsWith("v") ? version.substring(1) : version;
        boolean isNumbered = !release.isEmpty() && Character.isDigit(release.charAt(0));
        return isNumbered && (release.startsWith("202") || EngineRules.compareReleases(release, other) < 0);
    }

    private static double kvBytes(TruthRow row) {
        return row.text("kv_dtype").equals("fp8") ? 1 : 2;
    }
}
