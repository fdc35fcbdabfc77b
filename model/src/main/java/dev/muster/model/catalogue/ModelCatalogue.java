// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import dev.muster.core.text.NearestMatch;
import dev.muster.model.CatalogueException;
import dev.muster.model.table.CsvTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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
        return new ModelCatalogue(ModelRows.read(text));
    }

    private static final class BuiltIn {
        private static final ModelCatalogue CATALOGUE = counted(KnownSizes::find);
    }

    /// Returns the models that come with Muster.
    ///
    /// @param sizes sizes that were counted before, by short names
    static ModelCatalogue counted(Function<String, Optional<ModelEntry.Size>> sizes) {
        return new ModelCatalogue(
                ModelRows.index(CsvTable.resource(ModelCatalogue.class, RESOURCE), KnownConfigs::find, sizes));
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
        List<ModelEntry> meant = listMeant(name);
        return meant.size() == 1 ? Optional.of(meant.getFirst()) : Optional.empty();
    }

    /// Returns the models that a name may mean, the likeliest first: one if the name is clear, none if no model begins
    /// with its words. `llama3.3` and `qwen3-coder-480b` are clear, `qwen3` is not.
    ///
    /// @since 0.3
    public List<ModelEntry> listMeant(String name) {
        ModelEntry exact = entries.get(name.toLowerCase(Locale.ROOT));
        if (exact != null) {
            return List.of(exact);
        }
        Map<String, ModelEntry> index = byKey;
        if (index == null) {
            index = NameWords.index(entries.values());
            byKey = index;
        }
        List<String> words = RepositoryName.of(name).words();
        for (String key : NameWords.keys(words)) {
            ModelEntry entry = index.get(key);
            if (entry != null) {
                return List.of(entry);
            }
        }
        List<ModelEntry> shuffled = NameWords.shuffled(words, entries.values());
        return shuffled.isEmpty() ? NameWords.meant(words, index, entries.values()) : shuffled;
    }

    /// Returns short names that a name may mean or that contain a text, or else the one with the most similar spelling,
    /// or else the nearest of the same family; at most three.
    public List<String> listAlike(String name) {
        List<ModelEntry> meant = listMeant(name);
        if (!meant.isEmpty()) {
            return meant.stream().map(ModelEntry::id).limit(MOST_ALIKE).toList();
        }
        List<String> words = RepositoryName.of(name).words();
        List<String> holding = ids().stream()
                .filter(id -> !words.isEmpty() && words.stream().allMatch(id::contains))
                .limit(MOST_ALIKE)
                .toList();
        if (!holding.isEmpty()) {
            return holding;
        }
        List<ModelEntry> related = NameWords.related(words, entries.values());
        return related.isEmpty()
                ? NearestMatch.find(name.toLowerCase(Locale.ROOT), ids()).stream()
                        .toList()
                : related.stream().map(ModelEntry::id).limit(MOST_ALIKE).toList();
    }
}
