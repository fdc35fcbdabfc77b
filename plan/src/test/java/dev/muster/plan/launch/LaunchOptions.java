// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The options of an emitted launch, read from its files as a user would: without its comments, and so without the line
/// for programs.
final class LaunchOptions {
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");
    private static final List<String> PROGRAMS = List.of(
            "vllm serve",
            "python3 -m sglang.launch_server",
            "trtllm-serve",
            "llama-server",
            "ollama serve",
            "torchrun",
            "accelerate launch",
            "deepspeed");

    private final List<Artifact> artifacts;
    private final String script;
    private final List<List<String>> commands = new ArrayList<>();

    LaunchOptions(List<Artifact> artifacts) {
        this.artifacts = artifacts;
        StringBuilder text = new StringBuilder();
        for (Artifact artifact : artifacts) {
            if (!artifact.name().endsWith(".json") && !artifact.name().equals("trtllm.yaml")) {
                artifact.text()
                        .replace("\\\n", " ")
                        .replace("'\\''", "'")
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.startsWith("#") || line.startsWith("#SBATCH"))
                        .forEach(line ->
                                text.append(line.replaceAll(" # .*$", "")).append('\n'));
            }
        }
        script = text.toString();
        for (String line : script.split("\n", -1)) {
            for (String program : PROGRAMS) {
                int at = line.indexOf(program);
                if (at >= 0 && (at == 0 || " /".indexOf(line.charAt(at - 1)) >= 0)) {
                    commands.add(words(line));
                    break;
                }
            }
        }
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find()) {
            words.add(matcher.group().replaceAll("['\"]", ""));
        }
        return words;
    }

    /// Returns the commands that start the program; those of further replicas differ in devices and port.
    int commands() {
        return commands.size();
    }

    /// Returns the words of the first command.
    List<String> command() {
        return commands.getFirst();
    }

    boolean has(String option) {
        return command().contains(option);
    }

    Optional<String> find(String option) {
        int at = command().lastIndexOf(option);
        return at < 0 ? Optional.empty() : Optional.of(command().get(at + 1));
    }

    /// Returns a number; 1 without the option, as all degrees are by default.
    long number(String option) {
        return find(option).map(Long::parseLong).orElse(1L);
    }

    /// Returns how often an option stands in the first command.
    long times(String option) {
        return command().stream().filter(option::equals).count();
    }

    /// Returns a variable that is set before the first command.
    Optional<String> variable(String name) {
        return command().stream()
                .filter(word -> word.startsWith(name + "="))
                .map(word -> word.substring(name.length() + 1))
                .findFirst();
    }

    /// Returns a value behind a word of any file, such as `replicas:` or `--nodes=`.
    Optional<String> value(String word) {
        Matcher matcher = Pattern.compile("(?m)" + Pattern.quote(word) + "[ =]*[\"']?([^\\s\"',]+)")
                .matcher(script);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    long count(String word) {
        return value(word).map(Long::parseLong).orElse(1L);
    }

    /// Returns the text of a file beside the first.
    String file(String name) {
        return artifacts.stream()
                .filter(one -> one.name().equals(name))
                .map(Artifact::text)
                .findFirst()
                .orElse("");
    }

    String text() {
        return script;
    }

    /// Returns the format of the weights that a serving command loads; empty if the user names the checkpoint.
    static Optional<String> format(LaunchOptions options, String model) {
        Map<String, String> made =
                new LinkedHashMap<>(Map.of("fp8", "fp8", "fp8_per_block", "fp8-block", "bitsandbytes", "nf4"));
        if (model.equals("$MODEL")) {
            return Optional.empty();
        }
        for (CsvRow row :
                CsvTable.parse(LaunchTemplate.resource("checkpoints.csv")).rows()) {
            if (row.require("repository").equals(model)) {
                return Optional.of(row.require("format"));
            }
        }
        return Optional.of(options.find("--quantization")
                .map(made::get)
                .or(() -> options.find("--dtype")
                        .map(dtype -> Map.of("bfloat16", "bf16", "float16", "fp16", "float32", "fp32")
                                .get(dtype)))
                .orElse("own"));
    }
}
