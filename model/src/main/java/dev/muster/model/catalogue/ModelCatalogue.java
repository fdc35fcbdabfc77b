// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import dev.muster.core.Reading;
import dev.muster.core.text.NearestMatch;
import dev.muster.model.CatalogueException;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.table.CsvTable;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
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

    /// Returns a table with the rows of another, and a row for each of some models; rows of the same name are replaced.
    ///
    /// @param table the other table; empty for none
    /// @param models the architectures, by repository or name
    /// @param day the day on which they were read
    /// @param told is given each model with its parameters, which are unknown if the table cannot hold it
    /// @throws CatalogueException if the text is not a table of models
    /// @since 0.3
    public static String refreshed(
            String table,
            Map<String, ModelArchitecture> models,
            LocalDate day,
            BiConsumer<String, Reading<Long>> told) {
        CatalogueRefresh refresh = CatalogueRefresh.of(table);
        models.forEach((name, architecture) -> told.accept(name, refresh.add(name, architecture, day)));
        return refresh.text();
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
        List<String> words = RepositoryName.of(name).words();
        List<ModelEntry> meant = listMeant(words);
        List<String> alone = meant.isEmpty() ? NameWords.withoutOwner(words, entries.values()) : words;
        return alone.size() < words.size() ? listMeant(alone) : meant;
    }

    private List<ModelEntry> listMeant(List<String> words) {
        Map<String, ModelEntry> index = index();
        for (String key : NameWords.keys(words)) {
            ModelEntry entry = index.get(key);
            if (entry != null) {
                return List.of(entry);
            }
        }
        List<ModelEntry> shuffled = NameWords.shuffled(words, entries.values());
        return shuffled.isEmpty() ? NameWords.meant(words, index, entries.values()) : shuffled;
    }

    private Map<String, ModelEntry> index() {
        Map<String, ModelEntry> index = byKey;
        if (index == null) {
            index = NameWords.index(entries.values());
            byKey = index;
        }
        return index;
    }

    /// Returns the model that a name of a fine-tune begins with: `qwen3.6-27b` of `Qwen3.6-27B-Ultimate-Uncensored`.
    /// Empty if the name has no size, or if it may be that of another architecture, such as a draft model.
    ///
    /// @since 0.3
    public Optional<ModelEntry> findTuned(String name) {
        RepositoryName repository = RepositoryName.of(name);
        List<String> words = NameWords.withoutOwner(repository.words(), entries.values());
        Optional<ModelEntry> tuned = NameWords.tuned(words, index());
        boolean isSigned =
                tuned.isEmpty() && words.size() > 1 && repository.owner().contains(words.getFirst());
        return isSigned ? NameWords.tuned(words.subList(1, words.size()), index()) : tuned;
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
        List<ModelEntry> inside = NameWords.inside(words, index());
        if (!inside.isEmpty()) {
            return inside.stream().map(ModelEntry::id).limit(MOST_ALIKE).toList();
        }
        List<ModelEntry> related = NameWords.related(words, entries.values());
        return related.isEmpty()
                ? NearestMatch.find(name.toLowerCase(Locale.ROOT), ids()).stream()
                        .toList()
                : related.stream().map(ModelEntry::id).limit(MOST_ALIKE).toList();
    }
}
