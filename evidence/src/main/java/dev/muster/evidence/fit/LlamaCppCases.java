// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.evidence.fit.ServedRun.Figure;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.simulate.Deployment;
import dev.muster.plan.simulate.LlamaServerSteps;
import dev.muster.plan.simulate.Loads;
import dev.muster.plan.simulate.ModelStepTimes;
import dev.muster.plan.simulate.SchedulerOption;
import dev.muster.plan.simulate.SchedulerPolicy;
import dev.muster.plan.simulate.Schedulers;
import dev.muster.plan.simulate.Simulator;
import dev.muster.plan.simulate.Workload;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.LlamaBuild;
import dev.muster.plan.time.LlamaCppModel;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.WeightParts;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Predictions of rows of llama.cpp and of programs around it.
final class LlamaCppCases {
    private static final Set<String> ENGINES = Set.of("llama.cpp", "ollama", "lmstudio");
    /// The last table of builds that write scores to memory.
    private static final String PLAIN_BUILD = "2024-05";
    /// Behind a long context, the Strix Halo tables take larger micro-batches with ROCm (from memory; their figures
    /// agree).
    private static final double LARGE_MICRO_BATCH = 2048;
    /// The slots of measured servers.
    private static final int SLOTS = 16;

    /// A build's number, and the first that was measured with ROCm 7.
    private static final Pattern BUILD = Pattern.compile("b([0-9]{1,6})( |$)");

    private static final int BUILD_OF_ROCM_7 = 7000;

    private LlamaCppCases() {}

    static boolean has(TruthRow row) {
        return ENGINES.contains(row.text("engine"));
    }

    /// Reports whether a row is of a file with random weights, which are routed evenly to experts.
    static boolean isRandom(TruthRow row) {
        return row.text("routing").equals("even");
    }

    /// Reports whether a row is of llama-server under load.
    static boolean isServed(TruthRow row) {
        return has(row)
                && isRandom(row)
                && row.text("arrival").equals("closed_loop")
                && row.number("concurrency") > 0
                && Figure.find(row.text("metric"), row.text("stat")).isPresent();
    }

    static Figure figure(TruthRow row) {
        return Figure.find(row.text("metric"), row.text("stat")).orElseThrow();
    }

    static MeasuredCase.Prediction of(TruthRow row, ModelShape shape, WeightParts weights, DeviceFigures device) {
        LlamaBuild build = build(row);
        Optional<String> format = Optional.of(InferenceCases.weightFormat(row).label());
        int devices = row.degree("pp");
        double input = row.number("input_len");
        double output = row.number("output_len");
        double depth = row.number("context_depth");
        if (isServed(row)) {
            return served(row, c -> new LlamaCppModel(shape, weights, device, devices, build, format, c), device);
        }
        if (row.text("metric").equals("prefill_tok_s")) {
            return c -> input
                    / new LlamaCppModel(shape, weights, device, devices, build, format, c)
                            .prefill(input, depth)
                            .seconds();
        }
        double batch = Math.max(1, row.number("batch"));
        double before = (row.text("context_depth").isEmpty() ? input : depth) + output / 2;
        String metric = row.text("metric");
        return c -> {
            LlamaCppModel model = new LlamaCppModel(shape, weights, device, devices, build, format, c);
            double step = model.decode(batch, before).seconds();
            return switch (metric) {
                case "tpot_ms" -> 1e3 * step;
                case "ttft_ms" -> 1e3 * model.prefill(input, depth).seconds();
                case "e2e_latency_s" -> batch * model.prefill(input, depth).seconds() + (output - 1) * step;
                default -> batch / step;
            };
        };
    }

    /// Returns the prediction of llama-server with equal requests of some users.
    private static MeasuredCase.Prediction served(
            TruthRow row, Function<Coefficients, LlamaCppModel> models, DeviceFigures device) {
        int users = row.count("concurrency");
        int input = Math.max(1, row.count("input_len"));
        int output = Math.max(2, row.count("output_len"));
        int requests = Math.max(users, row.count("n_requests"));
        Workload load = Loads.closedLoop(users, requests, input, output, 1, 1);
        SchedulerPolicy policy = SchedulerOption.apply(
                Schedulers.find("llama.cpp", "", device.id(), device.memory()).orElseThrow(),
                "parallel",
                Integer.toString(Math.max(SLOTS, users)));
        Figure figure = figure(row);
        long room = (long) Math.max(SLOTS, users) * (input + output) * 2;
        return c -> {
            LlamaServerSteps steps = new LlamaServerSteps(models.apply(c), (input + output) / (double) input);
            Deployment deployment = Deployment.of(new ModelStepTimes(steps, input + output / 2.0), policy, room);
            return figure.of(Simulator.run(load, deployment).figures(Slo.NONE));
        };
    }

    /// Returns the build, as the row describes it in its version and its note.
    private static LlamaBuild build(TruthRow row) {
        String note = row.text("note");
        String said = (row.text("engine_version") + ' ' + note).toLowerCase(Locale.ROOT);
        boolean isLarge = note.startsWith("ROCm rocm") && row.number("context_depth") > 0;
        String backend = said.contains("amdvlk")
                ? "amdvlk"
                : said.contains("vulkan") ? "vulkan" : isPlainRocm(row, said) ? "rocblas" : "";
        return new LlamaBuild(
                !row.text("engine_version").equals(PLAIN_BUILD) && !said.contains("flash attention off"),
                backend,
                isLarge ? LARGE_MICRO_BATCH : LlamaBuild.USUAL.microBatch(),
                row.text("routing").equals("even"));
    }

    /// Reports whether a build for ROCm multiplies with rocBLAS: those before ROCm 7 do so unless told otherwise.
    private static boolean isPlainRocm(TruthRow row, String said) {
        Matcher build = BUILD.matcher(row.text("engine_version"));
        return build.lookingAt()
                && Integer.parseInt(build.group(1)) < BUILD_OF_ROCM_7
                && said.contains("rocm")
                && !said.contains("hipblaslt");
    }
}
