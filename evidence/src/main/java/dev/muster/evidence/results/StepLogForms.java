// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.results.StepLog.Step;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Logs of training frameworks, one class for each.
final class StepLogForms {
    private StepLogForms() {}

    static List<ResultForm> all() {
        return List.of(
                new Nanotron(), new Megatron(), new Nemo(), new MaxText(), new TorchTitan(), new DeepSpeedTimer());
    }

    /// Megatron-LM and what is built on it (Megatron-DeepSpeed, Megatron-Bridge, GPT-NeoX).
    private static final class Megatron extends StepLogForm {
        private static final Pattern STEP = Pattern.compile("iteration\\s+([0-9]+)/\\s*([0-9]+)");
        private static final Pattern TIME = Pattern.compile("elapsed time per iteration \\(ms\\):\\s*([0-9.,]+)");
        private static final Pattern BATCH = Pattern.compile("global batch size:\\s*([0-9]+)");
        private static final Pattern OPERATIONS = Pattern.compile(
                "(?:throughput per GPU \\(TFLOP/s/GPU\\)|TFLOPs|model TFLOP/s/GPU|approx flops per GPU):\\s*([0-9.]+)");
        private static final Pattern DEVICE_RATE =
                Pattern.compile("(?:tokens per gpu per second \\(tgs\\)|tokens/sec/gpu):\\s*([0-9.,]+)");
        private static final Pattern ARGUMENT = Pattern.compile("\\s*(\\w+) \\.{2,} (\\S+)\\s*");
        /// Names of runs as Megatron-Bridge builds them.
        private static final Pattern NAME = Pattern.compile("pretrain_(\\w+?)_(bf16|fp8\\w*|nvfp4|mxfp8)_gpus(\\d+)"
                + "_tp(\\d+)_pp(\\d+)_cp(\\d+).*?_mbs(\\d+)_gbs(\\d+)");

        Megatron() {
            super("Megatron");
        }

        @Override
        Optional<Step> step(String line) {
            double milliseconds = value(TIME, line);
            Matcher step = STEP.matcher(line);
            if (milliseconds <= 0 || !step.find()) {
                return Optional.empty();
            }
            return Optional.of(new Step(
                    Numbers.find(step.group(1)).orElse(0),
                    Numbers.find(step.group(2)).orElse(0),
                    milliseconds * MILLI,
                    0,
                    value(DEVICE_RATE, line),
                    value(OPERATIONS, line) * TERA,
                    value(BATCH, line)));
        }

        @Override
        void addFacts(RunBuilder run, ResultText text) {
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

    /// NeMo.
    private static final class Nemo extends StepLogForm {
        private static final Pattern STEP = Pattern.compile("(?:global_step|iteration)[: ]\\s*([0-9]+)");
        private static final Pattern TOTAL = Pattern.compile("iteration [0-9]+/([0-9]+)");
        private static final Pattern TIME = Pattern.compile("train_step_timing(?: in s)?['\"]?\\s*[:=]\\s*([0-9.]+)");
        private static final Pattern BATCH = Pattern.compile("global_batch_size[:=]\\s*([0-9]+)");
        private static final Pattern OPERATIONS =
                Pattern.compile("(?:TFLOPS_per_GPU|tflops_per_sec_per_gpu)[:=]\\s*([0-9.]+)");

        Nemo() {
            super("NeMo");
        }

        @Override
        Optional<Step> step(String line) {
            double seconds = value(TIME, line);
            return seconds <= 0
                    ? Optional.empty()
                    : Optional.of(new Step(
                            value(STEP, line),
                            value(TOTAL, line),
                            seconds,
                            0,
                            0,
                            value(OPERATIONS, line) * TERA,
                            value(BATCH, line)));
        }

        @Override
        void addFacts(RunBuilder run, ResultText text) {
            run.say(Fact.ENGINE, "nemo");
        }
    }

    /// MaxText.
    private static final class MaxText extends StepLogForm {
        private static final Pattern STEP = Pattern.compile("completed step: ([0-9]+)");
        private static final Pattern TIME = Pattern.compile("seconds: ([0-9.]+)");
        private static final Pattern OPERATIONS = Pattern.compile("TFLOP/s/device: ([0-9.]+)");
        private static final Pattern RATE = Pattern.compile("Tokens/s/device: ([0-9.]+)");

        MaxText() {
            super("MaxText");
        }

        @Override
        Optional<Step> step(String line) {
            return line.contains("completed step:") && value(TIME, line) > 0
                    ? Optional.of(new Step(
                            value(STEP, line),
                            0,
                            value(TIME, line),
                            0,
                            value(RATE, line),
                            value(OPERATIONS, line) * TERA,
                            0))
                    : Optional.empty();
        }

        @Override
        void addFacts(RunBuilder run, ResultText text) {
            run.say(Fact.ENGINE, "maxtext");
        }
    }

    /// torchtitan, whose speeds are those of one device.
    private static final class TorchTitan extends StepLogForm {
        private static final Pattern STEP = Pattern.compile("step:\\s*([0-9]+)");
        private static final Pattern RATE = Pattern.compile("(?:tps|wps):\\s*([0-9.,]+)");
        private static final Pattern OPERATIONS = Pattern.compile("tflops:\\s*([0-9.,]+)");

        TorchTitan() {
            super("torchtitan");
        }

        @Override
        Optional<Step> step(String line) {
            return line.contains("mfu:") && value(RATE, line) > 0
                    ? Optional.of(
                            new Step(value(STEP, line), 0, 0, 0, value(RATE, line), value(OPERATIONS, line) * TERA, 0))
                    : Optional.empty();
        }

        @Override
        void addFacts(RunBuilder run, ResultText text) {
            run.say(Fact.ENGINE, "torchtitan");
        }
    }

    /// nanotron, whose numbers end in K, M or G. A batch with such an end is one of tokens.
    private static final class Nanotron extends StepLogForm {
        private static final Pattern STEP = Pattern.compile("iteration: ([0-9]+) / ([0-9]+)");
        private static final Pattern TIME = Pattern.compile("time_per_iteration_ms: ([0-9.]+[KMG]?)");
        private static final Pattern RATE = Pattern.compile("tokens_per_sec: ([0-9.]+[KMG]?)");
        private static final Pattern DEVICE_RATE = Pattern.compile("tokens_per_sec_per_gpu: ([0-9.]+[KMG]?)");
        private static final Pattern OPERATIONS = Pattern.compile("model_tflops_per_gpu: ([0-9.]+[KMG]?)");
        private static final Pattern BATCH = Pattern.compile("global_batch_size: ([0-9]+)(?![0-9.KMG])");

        Nanotron() {
            super("nanotron");
        }

        @Override
        Optional<Step> step(String line) {
            Matcher step = STEP.matcher(line);
            return value(DEVICE_RATE, line) > 0 && step.find()
                    ? Optional.of(new Step(
                            Numbers.find(step.group(1)).orElse(0),
                            Numbers.find(step.group(2)).orElse(0),
                            value(TIME, line) * MILLI,
                            value(RATE, line),
                            value(DEVICE_RATE, line),
                            value(OPERATIONS, line) * TERA,
                            value(BATCH, line)))
                    : Optional.empty();
        }

        @Override
        void addFacts(RunBuilder run, ResultText text) {
            run.say(Fact.ENGINE, "nanotron");
        }
    }

    /// The throughput timer of DeepSpeed, in sequences per second.
    private static final class DeepSpeedTimer extends StepLogForm {
        private static final Pattern STEP = Pattern.compile("(?:global_step|step)=([0-9]+)");
        private static final Pattern RATE = Pattern.compile("CurrSamplesPerSec=([0-9.]+)");

        DeepSpeedTimer() {
            super("DeepSpeed");
        }

        @Override
        Optional<Step> step(String line) {
            double rate = value(RATE, line);
            return rate <= 0 ? Optional.empty() : Optional.of(new Step(value(STEP, line), 0, 1 / rate, 0, 0, 0, 1));
        }

        @Override
        void addFacts(RunBuilder run, ResultText text) {
            run.say(Fact.ENGINE, "deepspeed");
        }
    }
}
