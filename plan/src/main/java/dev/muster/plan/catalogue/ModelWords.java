package dev.muster.plan.catalogue;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Compares the names of models word by word, from all words on to those that tell models apart.
final class ModelWords {
    /// What publishers add to the name of a model that was trained further.
    private static final Set<String> TRAINING =
            Set.of("instruct", "chat", "it", "base", "hf", "thinking", "reasoning", "preview");
    private static final Set<String> OWNERS = Set.of("meta", "nvidia", "qwen", "google", "mistralai", "openai", "zai");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}|[0-9]{6}|[0-9]{8}");
    private static final Pattern VERSION = Pattern.compile("v[0-9]+(\\.[0-9]+)?");

    private ModelWords() {}

    /// What a name may be written as, from the most exact on. No text at all is never one of them.
    static List<String> keys(List<String> words) {
        List<String> trained = without(words, TRAINING::contains);
        List<String> undated = without(trained, word -> DATE.matcher(word).matches());
        List<String> alone = undated.size() > 1 && OWNERS.contains(undated.getFirst())
                ? undated.subList(1, undated.size())
                : undated;
        Set<String> keys = new LinkedHashSet<>();
        for (List<String> some : List.of(
                words,
                trained,
                undated,
                alone,
                without(alone, word -> VERSION.matcher(word).matches()))) {
            keys.add(String.join("", some));
        }
        keys.remove("");
        return List.copyOf(keys);
    }

    /// The models by what their names are written as; short names come first, then aliases, then repositories.
    static Map<String, ModelEntry> index(Collection<ModelEntry> entries) {
        Map<String, ModelEntry> index = new HashMap<>();
        entries.forEach(entry -> index.putIfAbsent(key(entry.id()), entry));
        entries.forEach(entry -> entry.aliases().forEach(alias -> index.putIfAbsent(key(alias), entry)));
        entries.forEach(entry -> index.putIfAbsent(key(entry.repository()), entry));
        for (ModelEntry entry : entries) {
            List<String> words = RepositoryName.of(entry.repository()).words();
            index.putIfAbsent(String.join("", without(words, TRAINING::contains)), entry);
        }
        return index;
    }

    private static String key(String name) {
        return String.join("", RepositoryName.of(name).words());
    }

    private static List<String> without(List<String> words, Predicate<String> left) {
        return words.stream().filter(left.negate()).toList();
    }
}
