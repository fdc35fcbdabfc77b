// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Compares names of models word by word, from all words to those that tell models apart.
final class NameWords {
    /// Additions of publishers to the name of a model that was trained further.
    private static final Set<String> TRAINING = Set.of(
            "instruct",
            "instruction",
            "chat",
            "it",
            "base",
            "hf",
            "thinking",
            "reasoning",
            "preview",
            "text",
            "cloud",
            "free",
            "abliterated",
            "pt",
            "sft",
            "dpo",
            "mtp",
            "latest");

    /// Additions to the name of a model for another one that was made from it: drafts, heads, towers, pruned models.
    private static final Set<String> OTHER_MODEL = Set.of(
            "adapter",
            "asr",
            "assistant",
            "audio",
            "compact",
            "dflash",
            "diffusion",
            "draft",
            "drafter",
            "dspark",
            "eagle",
            "embed",
            "embedding",
            "lora",
            "medusa",
            "moe",
            "ocr",
            "omni",
            "pruned",
            "reap",
            "rerank",
            "reranker",
            "reward",
            "rm",
            "speculator",
            "speech",
            "tts",
            "vision",
            "vl");

    private static final Set<String> OWNERS =
            Set.of("meta", "nvidia", "qwen", "google", "mistralai", "openai", "zai", "microsoft", "deepseekai");
    /// The size that most people run, for names without one.
    private static final double USUAL = Math.log(8e9);
    /// The largest difference between a size in a name and the model's.
    private static final double ROUNDED = 0.15;

    private NameWords() {}

    /// Returns the spellings of a name, from the most exact on. No text at all is never one of them.
    static List<String> keys(List<String> words) {
        Set<String> keys = new LinkedHashSet<>();
        for (List<String> some : spellings(words)) {
            keys.add(String.join("", some));
        }
        keys.remove("");
        return List.copyOf(keys);
    }

    private static List<List<String>> spellings(List<String> words) {
        List<String> trained = without(words, word -> TRAINING.contains(word) || isLength(word));
        List<String> undated = without(trained, NameWords::isDate);
        List<String> alone = undated.size() > 1 && OWNERS.contains(undated.getFirst())
                ? undated.subList(1, undated.size())
                : undated;
        return List.of(
                words,
                trained,
                without(trained, NameWords::isVersion),
                undated,
                alone,
                without(alone, NameWords::isVersion));
    }

    /// Returns the models by the spellings of their names; short names come first, then aliases, then repositories.
    static Map<String, ModelEntry> index(Collection<ModelEntry> entries) {
        Map<String, ModelEntry> index = new HashMap<>();
        entries.forEach(entry -> index.putIfAbsent(key(entry.id()), entry));
        entries.forEach(entry -> entry.aliases().forEach(alias -> index.putIfAbsent(key(alias), entry)));
        Map<ModelEntry, List<String>> repositories = new LinkedHashMap<>();
        for (ModelEntry entry : entries) {
            List<String> words = RepositoryName.of(entry.repository()).words();
            index.putIfAbsent(String.join("", words), entry);
            repositories.put(entry, words);
        }
        repositories.forEach((entry, words) ->
                index.putIfAbsent(String.join("", without(words, TRAINING::contains)), entry));
        return index;
    }

    /// Returns the models whose names begin with the words of a name, or else the one that lacks the size in it.
    ///
    /// @param index the models by their spellings
    static List<ModelEntry> meant(List<String> words, Map<String, ModelEntry> index, Collection<ModelEntry> entries) {
        for (List<String> spelling : spellings(words).subList(0, 5)) {
            String key = String.join("", spelling);
            if (key.length() < 2 || !Character.isLetter(key.charAt(0))) {
                continue;
            }
            Map<ModelEntry, List<String>> more = new LinkedHashMap<>();
            for (ModelEntry entry : entries) {
                Stream.concat(Stream.of(entry.id()), entry.aliases().stream())
                        .map(name -> rest(key, RepositoryName.words(name)))
                        .filter(rest -> !rest.isEmpty())
                        .min(Comparator.comparingInt(List::size))
                        .ifPresent(rest -> more.put(entry, rest));
            }
            if (!more.isEmpty()) {
                return likeliest(more);
            }
            ModelEntry unsized =
                    spelling.size() < 2 ? null : index.get(String.join("", spelling.subList(0, spelling.size() - 1)));
            if (unsized != null && isSizeOf(spelling.getLast(), unsized)) {
                return List.of(unsized);
            }
        }
        return List.of();
    }

    /// Returns the models with a name of the same words and numbers in any order, with points or dashes between
    /// numbers:
    /// `llama-3-1-8b`, `deepseek-r1:70b-llama-distill`. Sizes may be added if they are those of the model.
    static List<ModelEntry> shuffled(List<String> words, Collection<ModelEntry> entries) {
        List<String> trained = without(words, TRAINING::contains);
        for (List<String> some :
                List.of(words, trained, without(words, NameWords::isSize), without(trained, NameWords::isSize))) {
            List<String> parts = parts(some);
            if (parts.size() < 2) {
                continue;
            }
            for (Predicate<String> left : List.<Predicate<String>>of(_ -> false, TRAINING::contains)) {
                List<ModelEntry> same = entries.stream()
                        .filter(entry -> names(entry, left).anyMatch(name -> name.equals(parts)))
                        .filter(entry -> words.stream()
                                .filter(word -> !some.contains(word) && isSize(word))
                                .allMatch(word -> isSizeOf(word, entry)))
                        .toList();
                if (!same.isEmpty()) {
                    return same;
                }
            }
        }
        return List.of();
    }

    /// Returns the words behind the owner's name in front of a model's, as in `zai-org_GLM-4.7-Flash-GGUF`; all of them
    /// if no owner of a model is there.
    static List<String> withoutOwner(List<String> words, Collection<ModelEntry> entries) {
        return entries.stream()
                .map(ModelEntry::repository)
                .filter(repository -> repository.indexOf('/') > 0)
                .map(repository -> RepositoryName.words(repository.substring(0, repository.indexOf('/'))))
                .filter(owner -> words.size() > owner.size()
                        && words.subList(0, owner.size()).equals(owner))
                .findFirst()
                .map(owner -> words.subList(owner.size(), words.size()))
                .orElse(words);
    }

    /// Returns the model that a name begins with, where its other words are a fine-tune's own: `qwen3.6-27b` of
    /// `Qwen3.6-27B-Ultimate-Uncensored`. The part for the model has a size, the rest has none.
    static Optional<ModelEntry> tuned(List<String> words, Map<String, ModelEntry> index) {
        for (int at = words.size() - 1; at > 0; at--) {
            ModelEntry entry = index.get(String.join("", words.subList(0, at)));
            List<String> own = words.subList(at, words.size());
            if (entry != null && hasSize(words.subList(0, at))) {
                return own.stream().noneMatch(NameWords::isOfAnother) ? Optional.of(entry) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static boolean hasSize(List<String> words) {
        return words.stream().anyMatch(word -> isSize(word) || isEffective(word));
    }

    /// Returns the models whose names with a size stand whole in a name, the longest first: `gemma-4-e4b` in
    /// `godot-gemma-4-e4b-it`.
    static List<ModelEntry> inside(List<String> words, Map<String, ModelEntry> index) {
        Set<ModelEntry> found = new LinkedHashSet<>();
        for (int length = words.size() - 1; length > 1; length--) {
            for (int from = 0; from + length <= words.size(); from++) {
                List<String> part = words.subList(from, from + length);
                ModelEntry entry = hasSize(part) ? index.get(String.join("", part)) : null;
                if (entry != null) {
                    found.add(entry);
                }
            }
        }
        return List.copyOf(found);
    }

    /// Reports whether a word behind a model's name is that of another model: a size, a letter such as in `Molmo-7B-O`,
    /// or a kind.
    private static boolean isOfAnother(String word) {
        return word.length() == 1 || isSize(word) || OTHER_MODEL.contains(withoutNumber(word));
    }

    private static String withoutNumber(String word) {
        int end = word.length();
        while (end > 1 && isNumber(word.substring(end - 1, end))) {
            end--;
        }
        return word.substring(0, end);
    }

    /// Returns the models that share the first word of a name, those that share most words first, then the newest.
    static List<ModelEntry> related(List<String> words, Collection<ModelEntry> entries) {
        List<String> parts = runs(words);
        if (parts.isEmpty()) {
            return List.of();
        }
        Map<ModelEntry, Long> shared = new LinkedHashMap<>();
        for (ModelEntry entry : entries) {
            List<String> own = runs(RepositoryName.words(entry.id()));
            if (own.getFirst().equals(parts.getFirst())) {
                shared.put(entry, own.stream().filter(parts::contains).count());
            }
        }
        return shared.entrySet().stream()
                .sorted(Map.Entry.<ModelEntry, Long>comparingByValue()
                        .reversed()
                        .thenComparing(entry -> entry.getKey().released(), Comparator.reverseOrder()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static Stream<List<String>> names(ModelEntry entry, Predicate<String> left) {
        return Stream.concat(Stream.of(entry.id(), entry.repository()), entry.aliases().stream())
                .map(name -> parts(without(RepositoryName.of(name).words(), left)));
    }

    private static List<String> parts(List<String> words) {
        return runs(words).stream().sorted().toList();
    }

    /// Splits words at points, and where a number follows a letter: `llama3.1` is `llama`, `3`, `1`.
    private static List<String> runs(List<String> words) {
        List<String> runs = new ArrayList<>();
        for (String word : words) {
            int from = 0;
            for (int at = 1; at <= word.length(); at++) {
                boolean ends = at == word.length()
                        || word.charAt(at) == '.'
                        || (isNumber(word.substring(at, at + 1)) && !isNumber(word.substring(at - 1, at)));
                if (ends && at > from) {
                    String run = word.substring(from, at);
                    runs.add(run.startsWith(".") ? run.substring(1) : run);
                    from = at;
                }
            }
        }
        runs.removeIf(String::isEmpty);
        return runs;
    }

    /// Returns the words behind a beginning; none if the words do not begin so, or do not go on.
    private static List<String> rest(String key, List<String> words) {
        StringBuilder joined = new StringBuilder();
        for (int at = 0; at < words.size() && joined.length() < key.length(); at++) {
            joined.append(words.get(at));
            if (joined.length() == key.length() && key.contentEquals(joined)) {
                return words.subList(at + 1, words.size());
            }
        }
        return List.of();
    }

    /// Returns the only one that adds no more than its size, or else all: those that do first, then those that add the
    /// fewest words, of these the newest, of these the one of the usual size.
    private static List<ModelEntry> likeliest(Map<ModelEntry, List<String>> more) {
        for (Predicate<String> added : List.<Predicate<String>>of(NameWords::isActive, NameWords::isSize)) {
            List<ModelEntry> same = more.entrySet().stream()
                    .filter(entry -> entry.getValue().stream().allMatch(added))
                    .map(Map.Entry::getKey)
                    .toList();
            if (same.size() == 1) {
                return same;
            }
        }
        return more.entrySet().stream()
                .sorted(Comparator.<Map.Entry<ModelEntry, List<String>>, Boolean>comparing(
                                entry -> !entry.getValue().stream().allMatch(NameWords::isSize))
                        .thenComparingInt(entry -> entry.getValue().size())
                        .thenComparing(entry -> year(entry.getKey()), Comparator.reverseOrder())
                        .thenComparingDouble(entry -> Math.abs(Math.log(parameters(entry.getKey())) - USUAL)))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static String year(ModelEntry entry) {
        return entry.released().substring(0, Math.min(4, entry.released().length()));
    }

    private static double parameters(ModelEntry entry) {
        return Math.max(1, entry.parameters().find().orElse(1L));
    }

    /// Reports whether a word is the size of a model, such as `671b` of DeepSeek V3.1.
    private static boolean isSizeOf(String word, ModelEntry entry) {
        double unit = switch (word.charAt(word.length() - 1)) {
            case 'm' -> 1e6;
            case 'b' -> 1e9;
            case 't' -> 1e12;
            default -> 0;
        };
        String number = word.substring(0, word.length() - 1);
        if (unit == 0 || !isDecimal(number)) {
            return false;
        }
        double size = Double.parseDouble(number) * unit;
        return Math.abs(parameters(entry) / size - 1) < ROUNDED;
    }

    /// Reports whether a word is a number of parameters or of active ones, such as `235b` or `a22b`.
    private static boolean isSize(String word) {
        return isActive(word)
                || (word.length() > 1
                        && "mbt".indexOf(word.charAt(word.length() - 1)) >= 0
                        && isDecimal(word.substring(0, word.length() - 1)));
    }

    /// Reports whether a word is a number of active parameters, such as `a3b`.
    private static boolean isActive(String word) {
        return word.length() > 2
                && word.startsWith("a")
                && word.endsWith("b")
                && isDecimal(word.substring(1, word.length() - 1));
    }

    /// Reports whether a word is a number of effective parameters, such as `e4b`.
    private static boolean isEffective(String word) {
        return word.startsWith("e") && isSize("a" + word.substring(1));
    }

    /// Reports whether a word is a length of context, such as `128k`.
    private static boolean isLength(String word) {
        return word.length() > 1 && word.endsWith("k") && isNumber(word.substring(0, word.length() - 1));
    }

    /// Reports whether a word is a date, such as `0528`, `202505` or `20250528`.
    private static boolean isDate(String word) {
        return isNumber(word) && (word.length() == 4 || word.length() == 6 || word.length() == 8);
    }

    /// Reports whether a word is a version, such as `v2` or `v0.3`.
    private static boolean isVersion(String word) {
        return word.startsWith("v") && isDecimal(word.substring(1));
    }

    private static boolean isDecimal(String text) {
        int point = text.indexOf('.');
        return isNumber(text.substring(0, point < 0 ? text.length() : point))
                && (point < 0 || isNumber(text.substring(point + 1)));
    }

    private static boolean isNumber(String text) {
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) < '0' || text.charAt(at) > '9') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() < 12;
    }

    private static String key(String name) {
        return String.join("", RepositoryName.of(name).words());
    }

    private static List<String> without(List<String> words, Predicate<String> left) {
        return words.stream().filter(left.negate()).toList();
    }
}
