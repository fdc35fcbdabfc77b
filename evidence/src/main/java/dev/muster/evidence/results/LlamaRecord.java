// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Load;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One test of `llama-bench`, whose columns are the same in JSON, CSV and SQL.
final class LlamaRecord {
    /// The addition of `llama_model_desc` to a model's size, such as `Q4_K - Medium` or `MXFP4 MoE`.
    private static final Pattern DESCRIBED = Pattern.compile(
            "(.*?)\\s+(?:all )?((?:I?Q[0-9]\\w*|T?Q[0-9]_[0-9]|MXFP4|NVFP4|B?F16|F32)(?: MoE)?(?: - \\w[^|]*)?)");

    private static final Pattern FILE_FORMAT =
            Pattern.compile("(?i)[-._](?:UD-)?((?:I?Q[0-9]\\w*|MXFP4|NVFP4|BF16|F16|F32)(?:_MOE)?)$");
    private static final Pattern PART = Pattern.compile("-[0-9]{5}-of-[0-9]{5}$");
    private static final double BITS = 8;
    private static final double HALF = 16;

    private LlamaRecord() {}

    /// Returns the run of a test.
    ///
    /// @param column the text of a column; empty if there is none
    static MeasuredRun read(Function<String, Optional<String>> column) {
        double rate = number(column, "avg_ts").orElse(0);
        double prompt = number(column, "n_prompt").orElse(0);
        double generated = number(column, "n_gen").orElse(0);
        if (!(rate > 0)) {
            throw ResultsException.of("the test failed: its speed is 0");
        }
        RunBuilder run = RunBuilder.of("llama-bench").say(Fact.ENGINE, "llama.cpp");
        run.say(
                Fact.RELEASE,
                number(column, "build_number").isPresent()
                        ? column.apply("build_number").map(build -> "b" + build)
                        : column.apply("build_commit"));
        name(run, column.apply("model_type"), column.apply("model_filename"));
        checkFormat(run, number(column, "model_size"), number(column, "model_n_params"));
        devices(run, column);
        run.say(Fact.KV_FORMAT, column.apply("type_k").map(type -> type.toLowerCase(Locale.ROOT)));
        run.say(Fact.DATE, column.apply("test_time"));
        add(run, prompt, generated, number(column, "n_depth").orElse(0), rate);
        return run.build();
    }

    /// Adds the quantities that a test measures: a prompt, or tokens behind one, or both together.
    static void add(RunBuilder run, double prompt, double generated, double depth, double rate) {
        run.load(Load.STATIC_BATCH).say(Fact.CONCURRENCY, 1);
        run.say(Fact.INPUT_TOKENS, prompt).say(Fact.OUTPUT_TOKENS, generated).say(Fact.DEPTH, depth);
        Metric metric = generated > 0 && prompt > 0
                ? Metric.TOTAL_RATE
                : generated > 0 ? Metric.DECODE_RATE : Metric.PREFILL_RATE;
        run.mean(metric, rate);
    }

    /// Sets model and weight format from a description such as `qwen2 7B Q4_K - Medium`, and from the name of a file,
    /// which says more about the model.
    static void name(RunBuilder run, Optional<String> description, Optional<String> file) {
        if (description.isPresent()) {
            Matcher matcher = DESCRIBED.matcher(description.get());
            if (matcher.matches()) {
                run.say(Fact.MODEL, matcher.group(1)).say(Fact.WEIGHT_FORMAT, format(matcher.group(2)));
            } else {
                run.say(Fact.MODEL, description.get());
            }
        }
        file.ifPresent(path -> {
            String name = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
            String base = PART.matcher(name.endsWith(".gguf") ? name.substring(0, name.length() - 5) : name)
                    .replaceFirst("");
            Matcher matcher = FILE_FORMAT.matcher(base);
            run.say(Fact.MODEL, matcher.find() ? base.substring(0, matcher.start()) : base);
        });
    }

    /// Returns the format's name in files: `Q4_K - Medium` is Q4_K_M.
    static String format(String described) {
        String plain = described.strip();
        int dash = plain.indexOf(" - ");
        String base = dash < 0 ? plain : plain.substring(0, dash);
        String size = dash < 0 ? "" : plain.substring(dash + " - ".length());
        String suffix = switch (size) {
            case "Small" -> "_s";
            case "Medium" -> "_m";
            case "Large" -> "_l";
            default -> "";
        };
        return base.toLowerCase(Locale.ROOT).replace(' ', '_') + suffix;
    }

    /// Corrects the format of gpt-oss, whose files call themselves F16 for the few tensors that are: the others have
    /// four bits.
    private static void checkFormat(RunBuilder run, OptionalDouble bytes, OptionalDouble parameters) {
        boolean isHalf = run.find(Fact.WEIGHT_FORMAT)
                .filter(format -> format.endsWith("f16"))
                .isPresent();
        if (isHalf && bytes.isPresent() && parameters.orElse(0) > 0) {
            double bits = bytes.getAsDouble() * BITS / parameters.getAsDouble();
            if (bits < HALF / 2) {
                run.say(Fact.WEIGHT_FORMAT, "mxfp4_moe");
            }
        }
    }

    private static void devices(RunBuilder run, Function<String, Optional<String>> column) {
        Optional<String> names = column.apply("gpu_info").or(() -> column.apply("gpu"));
        boolean isRemote = column.apply("backends").orElse("").contains("RPC");
        if (names.isEmpty()) {
            column.apply("cpu_info")
                    .ifPresent(name -> run.say(Fact.DEVICE, name).say(Fact.DEVICES, 1));
            return;
        }
        String[] all = names.get().split(",\\s*", -1);
        run.say(Fact.DEVICE, all[0]);
        if (!isRemote) {
            run.say(Fact.DEVICES, all.length);
        }
    }

    private static OptionalDouble number(Function<String, Optional<String>> column, String name) {
        return column.apply(name).map(Numbers::find).orElse(OptionalDouble.empty());
    }
}
