package dev.muster.plan.catalogue;

import dev.muster.core.text.NearestMatch;
import dev.muster.plan.model.CatalogueException;
import dev.muster.plan.table.CsvRow;
import dev.muster.plan.table.CsvTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Well-known models by name. Immutable and safe to share between threads.
///
/// @since 0.1
public final class ModelCatalogue {
    private static final String RESOURCE = "models.csv";
    private static final int MOST_ALIKE = 3;

    private final Map<String, ModelEntry> entries;
    private final Map<String, ModelEntry> byKey;

    private ModelCatalogue(Map<String, ModelEntry> entries) {
        this.entries = entries;
        this.byKey = ModelWords.index(entries.values());
    }

    /// The models that come with Muster.
    public static ModelCatalogue builtIn() {
        return BuiltIn.CATALOGUE;
    }

    /// Reads a table of models, as docs/catalogues.md describes it.
    ///
    /// @throws CatalogueException if the text is no such table
    public static ModelCatalogue parse(String text) {
        ModelCatalogue catalogue = read(text);
        catalogue.entries().forEach(ModelEntry::architecture); // what is wrong is to be said now
        return catalogue;
    }

    private static ModelCatalogue read(String text) {
        Map<String, ModelEntry> entries = new LinkedHashMap<>();
        for (ModelEntry entry : ModelRows.read(text)) {
            if (entries.put(entry.id(), entry) != null) {
                throw CatalogueException.of("model '" + CsvRow.shown(entry.id()) + "' is there twice; delete one");
            }
        }
        return new ModelCatalogue(entries);
    }

    private static final class BuiltIn {
        private static final ModelCatalogue CATALOGUE = read(CsvTable.resource(ModelCatalogue.class, RESOURCE));
    }

    /// This catalogue with the models of another, which come first where both have one of that name.
    public ModelCatalogue with(ModelCatalogue more) {
        Map<String, ModelEntry> both = new LinkedHashMap<>(entries);
        both.putAll(more.entries);
        return new ModelCatalogue(both);
    }

    /// All models, in the order of the table.
    public List<ModelEntry> entries() {
        return List.copyOf(entries.values());
    }

    /// The short names.
    public List<String> ids() {
        return List.copyOf(entries.keySet());
    }

    /// The model of a name: its short name, an alias or a repository, written in any way: `Llama 3.1 8B`,
    /// `llama-3.1-8b`, `meta-llama/Llama-3.1-8B-Instruct`, `unsloth/Llama-3.1-8B-Instruct-GGUF`. Owner, format, and
    /// what publishers add for further training or a date do not matter; [ModelName] also says which format a name
    /// implies.
    public Optional<ModelEntry> find(String name) {
        for (String key : ModelWords.keys(RepositoryName.of(name).words())) {
            ModelEntry entry = byKey.get(key);
            if (entry != null) {
                return Optional.of(entry);
            }
        }
        return Optional.empty();
    }

    /// Short names that hold what somebody wrote, or else the one that is spelled nearly so; at most three.
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
}
