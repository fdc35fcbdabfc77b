// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.ask;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.Numbers;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.TextFile;
import dev.muster.cli.option.UsageException;
import dev.muster.evidence.BenchmarkResults;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.serving.ServingEngine;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Result files of benchmarks and trainings, and options that say what the files do not.
public final class ResultOptions {
    public static final String OPERANDS = "[RESULTS ...]";

    static final OptionSpec DEVICES = OptionSpec.value("devices", "COUNT", "for result files: number of devices");
    static final OptionSpec TENSOR = OptionSpec.value("tp", "DEGREE", "for result files: tensor parallel degree");
    static final OptionSpec MODEL =
            OptionSpec.value("model", "NAME", "for result files: name of the model, as listed by 'muster models'");
    static final OptionSpec ENGINE = OptionSpec.value(
            "engine", "NAME", "for result files: serving engine, such as vllm or sglang, or training framework");
    static final OptionSpec FORMAT =
            OptionSpec.value("quant", "FORMAT", "for result files: weight format, such as bf16, fp8 or q4_k_m");
    static final OptionSpec CONCURRENCY =
            OptionSpec.value("concurrency", "COUNT", "for result files: concurrency, or batch size");
    static final OptionSpec INPUT = OptionSpec.value("input", "TOKENS", "for result files: tokens of a prompt");
    static final OptionSpec GENERATE = OptionSpec.value("generate", "TOKENS", "for result files: tokens of an answer");
    static final OptionSpec SEQUENCE =
            OptionSpec.value("seq", "TOKENS", "for result files: tokens of a training sequence");

    /// All but the device, which some commands have in another sense, too.
    public static final List<OptionSpec> FACTS =
            List.of(DEVICES, TENSOR, MODEL, ENGINE, FORMAT, CONCURRENCY, INPUT, GENERATE, SEQUENCE);

    private static final int MAX_FILES = 10_000;

    private ResultOptions() {}

    /// Reads the files.
    ///
    /// @param device the option that names the device
    public static BenchmarkResults read(String first, Arguments arguments, OptionSpec device) {
        List<String> names = new ArrayList<>(List.of(first));
        names.addAll(arguments.operands());
        if (names.size() > MAX_FILES) {
            throw new UsageException("at most " + MAX_FILES + " result files are read at once");
        }
        Map<String, String> texts = new LinkedHashMap<>();
        for (String name : names) {
            texts.put(name, TextFile.read(name));
        }
        return BenchmarkResults.read(texts, given(arguments, device));
    }

    private static Map<Fact, String> given(Arguments arguments, OptionSpec device) {
        Map<Fact, String> given = given(arguments);
        arguments.find(device).ifPresent(name -> given.put(Fact.DEVICE, name));
        return given;
    }

    /// Returns the facts that options state.
    public static Map<Fact, String> given(Arguments arguments) {
        Map<Fact, String> given = new EnumMap<>(Fact.class);
        arguments.find(MODEL).ifPresent(name -> given.put(Fact.MODEL, name));
        arguments.find(ENGINE).ifPresent(name -> given.put(Fact.ENGINE, engine(name)));
        arguments.read(FORMAT, WeightFormat::parse).ifPresent(format -> given.put(Fact.WEIGHT_FORMAT, format.label()));
        number(arguments, DEVICES, Fact.DEVICES, given);
        number(arguments, TENSOR, Fact.TP, given);
        number(arguments, CONCURRENCY, Fact.CONCURRENCY, given);
        number(arguments, INPUT, Fact.INPUT_TOKENS, given);
        number(arguments, GENERATE, Fact.OUTPUT_TOKENS, given);
        number(arguments, SEQUENCE, Fact.SEQUENCE_LENGTH, given);
        return given;
    }

    /// Returns the label of an engine, by its label or the name that people write.
    private static String engine(String name) {
        for (ServingEngine engine : ServingEngine.values()) {
            if (engine.display().equalsIgnoreCase(name)) {
                return engine.label();
            }
        }
        return name;
    }

    private static void number(Arguments arguments, OptionSpec option, Fact fact, Map<Fact, String> given) {
        if (arguments.has(option)) {
            given.put(fact, Integer.toString(Numbers.whole(arguments, option, 1, 1)));
        }
    }
}
