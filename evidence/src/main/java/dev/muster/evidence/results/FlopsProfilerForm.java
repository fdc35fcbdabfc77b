// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.results.form.KeyedLines;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Output of DeepSpeed's flops profiler: one step, well after the first.
final class FlopsProfilerForm implements ResultForm {
    private static final Pattern QUANTITY = Pattern.compile("([0-9.,]+)\\s*(us|ms|s|[GTP]FLOPS|)");

    @Override
    public boolean recognises(ResultText text) {
        return text.holds("DeepSpeed Flops Profiler");
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        KeyedLines lines = KeyedLines.of(text.lines());
        RunBuilder run = RunBuilder.of("DeepSpeed flops profiler").say(Fact.ENGINE, "deepspeed");
        double devices = lines.number("world size").orElse(0);
        double batch = lines.firstNumber("batch size per GPU", "train batch size per GPU")
                .orElse(0);
        double replicas = Math.max(1, lines.number("data parallel size").orElse(1));
        run.say(Fact.DEVICES, devices).say(Fact.TP, lines.number("model parallel size"));
        run.say(Fact.MICRO_BATCH, batch).say(Fact.GLOBAL_BATCH, batch * replicas);
        run.mean(Metric.STEP_TIME, quantity(lines, "iter latency"));
        run.mean(Metric.SAMPLE_RATE, lines.firstNumber("samples/second", "samples/s", "throughput"));
        run.mean(
                Metric.DEVICE_OPERATIONS,
                quantity(lines, "fwd+bwd FLOPS per GPU = 3 * fwd flops per GPU / (fwd+bwd latency)"));
        return run.runs("the profile has no time of a step: it is cut off");
    }

    private static OptionalDouble quantity(KeyedLines lines, String name) {
        Matcher matcher = QUANTITY.matcher(lines.text(name).orElse(""));
        if (!matcher.lookingAt()) {
            return OptionalDouble.empty();
        }
        double scale = switch (matcher.group(2)) {
            case "us" -> 1e-6;
            case "ms" -> 1e-3;
            case "GFLOPS" -> 1e9;
            case "TFLOPS" -> 1e12;
            case "PFLOPS" -> 1e15;
            default -> 1;
        };
        OptionalDouble number = Numbers.find(matcher.group(1));
        return number.isPresent() ? OptionalDouble.of(number.getAsDouble() * scale) : number;
    }
}
