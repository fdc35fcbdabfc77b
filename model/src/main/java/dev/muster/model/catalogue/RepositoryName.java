// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import dev.muster.model.ModelQuantization;
import dev.muster.model.memory.GgufFormat;
import dev.muster.model.memory.WeightFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The parts of a repository's name: owner, model and format.
///
/// @param repository owner and name as written, or the name alone
/// @param words the words of the model in lower case, without those of its format
/// @param weights the format that the name implies
record RepositoryName(String repository, List<String> words, Weights weights) {
    private static final int MAX_NAME = 200;
    /// The type that a name of a GGUF repository without one means, since most users take it.
    private static final String USUAL_GGUF = "q4_k_m";

    /// Words for formats. Those of MLX are counted as the types of GGUF that take the same bits.
    private static final Map<String, ModelQuantization> FORMATS = Map.ofEntries(
            Map.entry("awq", ModelQuantization.of("awq")),
            Map.entry("w4a16", ModelQuantization.of("awq")),
            Map.entry("int4", ModelQuantization.of("awq")),
            Map.entry("gptq", bits("gptq", 4)),
            Map.entry("autoround", bits("gptq", 4)),
            Map.entry("w8a8", bits("gptq", 8)),
            Map.entry("w8a16", bits("gptq", 8)),
            Map.entry("int8", bits("gptq", 8)),
            Map.entry("fp8", ModelQuantization.of("fp8")),
            Map.entry("nvfp4", ModelQuantization.of("nvfp4")),
            Map.entry("fp4", ModelQuantization.of("nvfp4")),
            Map.entry("mxfp4", ModelQuantization.of("mxfp4")),
            Map.entry("bnb", bits("bitsandbytes", 4)),
            Map.entry("nf4", bits("bitsandbytes", 4)),
            Map.entry("mxfp8", ModelQuantization.of("fp8")),
            Map.entry("2bit", ModelQuantization.of("q2_k")),
            Map.entry("3bit", ModelQuantization.of("q3_k_m")),
            Map.entry("q4", ModelQuantization.of("q4_0")),
            Map.entry("q6", ModelQuantization.of("q6_k")),
            Map.entry("q8", ModelQuantization.of("q8_0")),
            Map.entry("4bit", ModelQuantization.of("q4_0")),
            Map.entry("5bit", ModelQuantization.of("q5_0")),
            Map.entry("6bit", ModelQuantization.of("q6_k")),
            Map.entry("8bit", ModelQuantization.of("q8_0")),
            Map.entry("qat", ModelQuantization.of("q4_0")),
            Map.entry("gguf", ModelQuantization.of(USUAL_GGUF)));
    /// Of two format words, the one that says more: `GPTQ-Int4`, `bnb-4bit`, `INT4-AutoRound`.
    private static final List<String> STRONGEST = List.of("nvfp4", "mxfp4", "awq", "autoround", "gptq", "bnb", "nf4");

    private static final Set<String> SIXTEEN_BITS = Set.of("bf16", "fp16", "f16", "unquantized");
    /// Words beside a format that add nothing.
    private static final Set<String> BESIDE_FORMATS = Set.of(
            "dynamic",
            "mlx",
            "quantized",
            "quant",
            "unsloth",
            "i1",
            "dwq",
            "dq",
            "ud",
            "mtp",
            "int8mix",
            "g128",
            "marlin");
    /// Words for the form of the files, which add nothing.
    private static final Set<String> FILES = Set.of("diffusers", "mlx", "onnx", "safetensors");

    /// Compiled on the first name that may need them, which takes some milliseconds (docs/decisions/0004).
    private static final class Patterns {
        static final Pattern ADDRESS = Pattern.compile("^(https?://)?(www\\.)?(huggingface\\.co|hf\\.co)/");
        /// Types of GGUF, with the variants of Unsloth (UD-Q4_K_XL) and others (Q4_K_L).
        static final Pattern GGUF_TYPE = Pattern.compile(
                "(?<![a-z0-9])(?:ud[-_])?d?(i?q[1-8]_(?:[01]|k(?:_(?:s|m|l|xl))?|xxs|xs|nl|s|m))(?![a-z0-9])");
    }

    /// The format of the weights, as a name states it.
    sealed interface Weights {
        /// No format in the name.
        record NotSaid() implements Weights {}

        /// Sixteen bits.
        record Plain() implements Weights {}

        /// A quantized format.
        record Quantized(ModelQuantization how) implements Weights {}
    }

    static RepositoryName of(String text) {
        String shortened =
                text.strip().substring(0, Math.min(MAX_NAME, text.strip().length()));
        String path = shortened.contains("hf.co/") || shortened.contains("huggingface.co/")
                ? Patterns.ADDRESS.matcher(shortened).replaceFirst("")
                : shortened;
        int tag = path.indexOf(':');
        String lower = path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        String gguf = "";
        List<String> words = words(lower);
        if (lower.indexOf('_') >= 0) {
            Matcher type = Patterns.GGUF_TYPE.matcher(lower);
            gguf = type.find() ? known(type.group(1)) : "";
            words = gguf.isEmpty() ? words : words(type.replaceAll(""));
        }
        boolean hasFormat = !gguf.isEmpty()
                || words.stream().anyMatch(word -> FORMATS.containsKey(word) || SIXTEEN_BITS.contains(word));
        List<String> model = words.stream()
                .filter(word -> !FORMATS.containsKey(word) && !SIXTEEN_BITS.contains(word) && !FILES.contains(word))
                .filter(word -> !hasFormat || !BESIDE_FORMATS.contains(word))
                .toList();
        return new RepositoryName(tag < 0 ? path : path.substring(0, tag), model, weights(gguf, words));
    }

    /// Returns the words of the owner's name; none if it is not written.
    List<String> owner() {
        return repository.indexOf('/') < 0 ? List.of() : words(repository.substring(0, repository.indexOf('/')));
    }

    /// Returns the words of a model's name: letters, digits and points.
    static List<String> words(String name) {
        List<String> words = new ArrayList<>();
        String lower = name.toLowerCase(Locale.ROOT);
        int from = 0;
        for (int at = 0; at <= lower.length(); at++) {
            if (at < lower.length() && isLetter(lower.charAt(at))) {
                continue;
            }
            String word = lower.substring(from, at);
            from = at + 1;
            String plain = word.endsWith(".gguf") ? word.substring(0, word.length() - ".gguf".length()) : word;
            if (plain.startsWith("quantized.")) {
                plain = plain.substring("quantized.".length());
            }
            if (!plain.isEmpty()) {
                words.add(plain);
            }
        }
        return words;
    }

    private static boolean isLetter(char character) {
        return (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9') || character == '.';
    }

    private static Weights weights(String gguf, List<String> words) {
        if (words.contains("unquantized")) {
            return new Weights.Plain();
        }
        if (!gguf.isEmpty()) {
            return new Weights.Quantized(ModelQuantization.of(gguf));
        }
        List<String> formats = words.stream().filter(FORMATS::containsKey).toList();
        if (formats.isEmpty()) {
            return words.stream().anyMatch(SIXTEEN_BITS::contains) ? new Weights.Plain() : new Weights.NotSaid();
        }
        String format = STRONGEST.stream().filter(formats::contains).findFirst().orElse(formats.getFirst());
        boolean eight = formats.contains("int8") || formats.contains("8bit");
        ModelQuantization how = FORMATS.getOrDefault(format, ModelQuantization.of(format));
        return new Weights.Quantized(how.bits().isPresent() && eight ? bits(how.method(), 8) : how);
    }

    /// Returns the type as llama.cpp calls it; larger variants of others count as the usual one.
    private static String known(String type) {
        return WeightFormat.find(type).filter(GgufFormat.class::isInstance).isPresent()
                ? type
                : type.replaceFirst("_(l|xl)$", "_m");
    }

    private static ModelQuantization bits(String method, int bits) {
        return new ModelQuantization(method, OptionalInt.of(bits), OptionalInt.empty());
    }
}
