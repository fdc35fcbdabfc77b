package dev.muster.plan.catalogue;

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
    /// What publishers add to the name of a model that was trained further.
    private static final List<String> ENDINGS = List.of("instruct", "chat", "it", "base", "hf", "bf16", "fp8");

    private final Map<String, ModelEntry> entries;

    private ModelCatalogue(Map<String, ModelEntry> entries) {
        this.entries = entries;
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
        private static final ModelCatalogue CATALOGUE = read(CatalogueResource.text(RESOURCE));
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

    /// The model of a name: its short name or its repository, written in any way: `Llama 3.1 8B`, `llama-3.1-8b`,
    /// `meta-llama/Llama-3.1-8B-Instruct`.
    public Optional<ModelEntry> find(String name) {
        String wanted = plain(name);
        for (ModelEntry entry : entries.values()) {
            if (plain(entry.id()).equals(wanted) || plain(entry.repository()).equals(wanted)) {
                return Optional.of(entry);
            }
        }
        String shorter = plain(name.substring(name.lastIndexOf('/') + 1));
        for (ModelEntry entry : entries.values()) {
            String repository = entry.repository();
            String last = plain(repository.substring(repository.lastIndexOf('/') + 1));
            if (plain(entry.id()).equals(shorter) || last.equals(shorter)) {
                return Optional.of(entry);
            }
        }
        return Optional.empty();
    }

    /// Letters and digits alone, without the endings of further training.
    private static String plain(String name) {
        StringBuilder plain = new StringBuilder();
        for (String word : name.toLowerCase(Locale.ROOT).split("[^a-z0-9.]+")) {
            if (!ENDINGS.contains(word)) {
                plain.append(word);
            }
        }
        return plain.toString();
    }
}
