// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import static dev.muster.evidence.results.StepLogForm.Part.BATCH;
import static dev.muster.evidence.results.StepLogForm.Part.DEVICE_RATE;
import static dev.muster.evidence.results.StepLogForm.Part.MARK;
import static dev.muster.evidence.results.StepLogForm.Part.MILLISECONDS;
import static dev.muster.evidence.results.StepLogForm.Part.RATE;
import static dev.muster.evidence.results.StepLogForm.Part.SAMPLE_RATE;
import static dev.muster.evidence.results.StepLogForm.Part.SECONDS;
import static dev.muster.evidence.results.StepLogForm.Part.STEP;
import static dev.muster.evidence.results.StepLogForm.Part.STEPS;
import static dev.muster.evidence.results.StepLogForm.Part.TERA_OPERATIONS;

import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Logs of training frameworks.
final class StepLogForms {
    private static final Pattern ARGUMENT = Pattern.compile("\\s*(\\w+) \\.{2,} (\\S+)\\s*");
    /// Names of runs as Megatron-Bridge builds them.
    private static final Pattern NAME = Pattern.compile("pretrain_(\\w+?)_(bf16|fp8\\w*|nvfp4|mxfp8)_gpus(\\d+)"
            + "_tp(\\d+)_pp(\\d+)_cp(\\d+).*?_mbs(\\d+)_gbs(\\d+)");

    private StepLogForms() {}

    static List<ResultForm> all() {
        return List.of(
                // Its numbers end in K, M or G; a batch with such an end is one of tokens.
                StepLogForm.of("nanotron", engine("nanotron"))
                        .requiring(DEVICE_RATE, "tokens_per_sec_per_gpu: ([0-9.]+[KMG]?)")
                        .requiring(STEP, "iteration: ([0-9]+) / [0-9]+")
                        .with(STEPS, "iteration: [0-9]+ / ([0-9]+)")
                        .with(MILLISECONDS, "time_per_iteration_ms: ([0-9.]+[KMG]?)")
                        .with(RATE, "tokens_per_sec: ([0-9.]+[KMG]?)")
                        .with(TERA_OPERATIONS, "model_tflops_per_gpu: ([0-9.]+[KMG]?)")
                        .with(BATCH, "global_batch_size: ([0-9]+)(?![0-9.KMG])"),
                // And what is built on it: Megatron-DeepSpeed, Megatron-Bridge, GPT-NeoX.
                StepLogForm.of("Megatron", StepLogForms::addMegatron)
                        .requiring(MILLISECONDS, "elapsed time per iteration \\(ms\\):\\s*([0-9.,]+)")
                        .requiring(STEP, "iteration\\s+([0-9]+)/\\s*[0-9]+")
                        .with(STEPS, "iteration\\s+[0-9]+/\\s*([0-9]+)")
                        .with(DEVICE_RATE, "(?:tokens per gpu per second \\(tgs\\)|tokens/sec/gpu):\\s*([0-9.,]+)")
                        .with(
                                TERA_OPERATIONS,
                                "(?:throughput per GPU \\(TFLOP/s/GPU\\)|TFLOPs|model TFLOP/s/GPU|approx flops per GPU)"
                                        + ":\\s*([0-9.]+)")
                        .with(BATCH, "global batch size:\\s*([0-9]+)"),
                StepLogForm.of("NeMo", engine("nemo"))
                        .requiring(SECONDS, "train_step_timing(?: in s)?['\"]?\\s*[:=]\\s*([0-9.]+)")
                        .with(STEP, "(?:global_step|iteration)[: ]\\s*([0-9]+)")
                        .with(STEPS, "iteration [0-9]+/([0-9]+)")
                        .with(TERA_OPERATIONS, "(?:TFLOPS_per_GPU|tflops_per_sec_per_gpu)[:=]\\s*([0-9.]+)")
                        .with(BATCH, "global_batch_size[:=]\\s*([0-9]+)"),
                StepLogForm.of("MaxText", engine("maxtext"))
                        .requiring(STEP, "completed step: ([0-9]+)")
                        .requiring(SECONDS, "seconds: ([0-9.]+)")
                        .with(DEVICE_RATE, "Tokens/s/device: ([0-9.]+)")
                        .with(TERA_OPERATIONS, "TFLOP/s/device: ([0-9.]+)"),
                StepLogForm.of("torchtitan", engine("torchtitan"))
                        .requiring(MARK, "(mfu:)")
                        .requiring(DEVICE_RATE, "(?:tps|wps):\\s*([0-9.,]+)")
                        .with(STEP, "step:\\s*([0-9]+)")
                        .with(TERA_OPERATIONS, "tflops:\\s*([0-9.,]+)"),
                // The throughput timer, in sequences per second.
                StepLogForm.of("DeepSpeed", engine("deepspeed"))
                        .requiring(SAMPLE_RATE, "CurrSamplesPerSec=([0-9.]+)")
                        .with(STEP, "(?:global_step|step)=([0-9]+)"));
    }

    private static StepLogForm.Facts engine(String name) {
        return (run, _) -> run.say(Fact.ENGINE, name);
    }

    private static void addMegatron(RunBuilder run, ResultText text) {
        Map<String, String> arguments = new HashMap<>();
        for (String line : text.lines()) {
            Matcher argument = ARGUMENT.matcher(line);
            if (argument.matches()) {
                arguments.putIfAbsent(argument.group(1), argument.group(2));
            }
            addName(run, line);
        }
        run.say(Fact.ENGINE, arguments.containsKey("deepspeed_config") ? "megatron-deepspeed" : "megatron");
        say(run, Fact.DEVICES, arguments, "world_size");
        say(run, Fact.TP, arguments, "tensor_model_parallel_size");
        say(run, Fact.PP, arguments, "pipeline_model_parallel_size");
        say(run, Fact.CP, arguments, "context_parallel_size");
        say(run, Fact.EP, arguments, "expert_model_parallel_size");
        say(run, Fact.SEQUENCE_LENGTH, arguments, "seq_length");
        say(run, Fact.MICRO_BATCH, arguments, "micro_batch_size");
        say(run, Fact.LAYERS, arguments, "num_layers");
        say(run, Fact.HIDDEN, arguments, "hidden_size");
        if ("True".equals(arguments.get("bf16"))) {
            run.say(Fact.PRECISION, "bf16");
        } else if ("True".equals(arguments.get("fp16"))) {
            run.say(Fact.PRECISION, "fp16");
        }
    }

    private static void say(RunBuilder run, Fact fact, Map<String, String> arguments, String name) {
        run.say(fact, Numbers.find(arguments.getOrDefault(name, "")));
    }

    private static void addName(RunBuilder run, String line) {
        Matcher name = NAME.matcher(line);
        if (name.find() && run.find(Fact.MODEL).isEmpty()) {
            run.say(Fact.MODEL, name.group(1).replace('_', '-'));
            run.say(Fact.PRECISION, name.group(2));
            run.say(Fact.DEVICES, Numbers.find(name.group(3)));
            run.say(Fact.TP, Numbers.find(name.group(4))).say(Fact.PP, Numbers.find(name.group(5)));
            run.say(Fact.CP, Numbers.find(name.group(6))).say(Fact.MICRO_BATCH, Numbers.find(name.group(7)));
        }
    }
}
