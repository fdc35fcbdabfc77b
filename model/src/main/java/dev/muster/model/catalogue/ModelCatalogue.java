// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import dev.muster.core.text.NearestMatch;
import dev.muster.model.CatalogueException;
import dev.muster.model.table.CsvTable;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Well-known models by name. Immutable and safe to share between threads.
///
/// @since 0.1
public final class ModelCatalogue {
    private static final String RESOURCE = "models.csv";
    private static final int MOST_ALIKE = 3;

    private final Map<String, ModelEntry> entries;
    /// Built on the first name that is not a short name: it takes 20 ms at the start of a command.
    private volatile @Nullable Map<String, ModelEntry> byKey;

    private ModelCatalogue(Map<String, ModelEntry> entries) {
        this.entries = entries;
    }

    /// Returns the models that come with Muster.
    public static ModelCatalogue builtIn() {
        return BuiltIn.CATALOGUE;
    }

    /// Parses a table of models; docs/catalogues.md describes its form.
    ///
    /// @throws CatalogueException if the text is not such a table
    public static ModelCatalogue parse(String text) {
        ModelCatalogue catalogue = new ModelCatalogue(ModelRows.read(text, _ -> Optional.empty()));
        catalogue.entries().forEach(ModelEntry::architecture); // what is wrong is to be said now
        return catalogue;
    }

    private static final class BuiltIn {
        private static final ModelCatalogue CATALOGUE = new ModelCatalogue(
                ModelRows.read(CsvTable.resource(ModelCatalogue.class, RESOURCE), KnownConfigs::find));
    }

    /// Returns a copy with the models of another catalogue, which take precedence.
    public ModelCatalogue with(ModelCatalogue more) {
        Map<String, ModelEntry> both = new LinkedHashMap<>(entries);
        both.putAll(more.entries);
        return new ModelCatalogue(both);
    }

    /// Returns all models, in the order of the table.
    public List<ModelEntry> entries() {
        return List.copyOf(entries.values());
    }

    /// Returns the short names.
    public List<String> ids() {
        return List.copyOf(entries.keySet());
    }

    /// Returns the model of a name: its short name, an alias or a repository, in any spelling: `Llama 3.1 8B`,
    /// `llama-3.1-8b`, `meta-llama/Llama-3.1-8B-Instruct`, `unsloth/Llama-3.1-8B-Instruct-GGUF`. Owner, format, and
    /// additions for further training or a date do not matter; [ModelName] also gives the format that a name
    /// implies.
    public Optional<ModelEntry> find(String name) {
        ModelEntry exact = entries.get(name.toLowerCase(Locale.ROOT));
        if (exact != null) {
            return Optional.of(exact);
        }
        Map<String, ModelEntry> index = byKey;
        if (index == null) {
            index = Words.index(entries.values());
            byKey = index;
        }
        for (String key : Words.keys(RepositoryName.of(name).words())) {
            ModelEntry entry = index.get(key);
            if (entry != null) {
                return Optional.of(entry);
            }
        }
        return Optional.empty();
    }

    /// Returns short names that contain a text, or else the one with the most similar spelling; at most three.
    public List<String> listAlike(String name) {
        List<String> words = RepositoryName.of(name).words();
        List<String> holding = ids().stream()
                .filter(id -> !words.isEmpty() && words.stream().allMatch(id::contains))
                .limit(MOST_ALIKE)
                .toList();
        return holding.isEmpty()
                ? NearestMatch.find(name.toLowerCase(Locale.ROOT), ids()).stream()
                        .toList()
                : holding;
    }

    /// Compares names of models word by word, from all words to those that tell models apart.
    private static final class Words {
        /// Additions of publishers to the name of a model that was trained further.
        private static final Set<String> TRAINING =
                Set.of("instruct", "chat", "it", "base", "hf", "thinking", "reasoning", "preview");
        private static final Set<String> OWNERS =
                Set.of("meta", "nvidia", "qwen", "google", "mistralai", "openai", "zai");

        private Words() {}

        /// Returns the spellings of a name, from the most exact on. No text at all is never one of them.
        static List<String> keys(List<String> words) {
            List<String> trained = without(words, TRAINING::contains);
            List<String> undated = without(trained, Words::isDate);
            List<String> alone = undated.size() > 1 && OWNERS.contains(undated.getFirst())
                    ? undated.subList(1, undated.size())
                    : undated;
            Set<String> keys = new LinkedHashSet<>();
            for (List<String> some : List.of(words, trained, undated, alone, without(alone, Words::isVersion))) {
                keys.add(String.join("", some));
            }
            keys.remove("");
            return List.copyOf(keys);
        }

        /// Returns the models by the spellings of their names; short names come first, then aliases, then
        /// repositories.
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

        /// Reports whether a word is a date, such as `0528`, `202505` or `20250528`.
        private static boolean isDate(String word) {
            return isNumber(word) && (word.length() == 4 || word.length() == 6 || word.length() == 8);
        }

        /// Reports whether a word is a version, such as `v2` or `v0.3`.
        private static boolean isVersion(String word) {
            int point = word.indexOf('.');
            return word.startsWith("v")
                    && isNumber(word.substring(1, point < 0 ? word.length() : point))
                    && (point < 0 || isNumber(word.substring(point + 1)));
        }

        private static boolean isNumber(String text) {
            for (int at = 0; at < text.length(); at++) {
                if (text.charAt(at) < '0' || text.charAt(at) > '9') {
                    return false;
                }
            }
            return !text.isEmpty();
        }

        private static String key(String name) {
            return String.join("", RepositoryName.of(name).words());
        }

        private static List<String> without(List<String> words, Predicate<String> left) {
            return words.stream().filter(left.negate()).toList();
        }
    }
}
