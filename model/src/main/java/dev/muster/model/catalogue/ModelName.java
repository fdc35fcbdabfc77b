// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import dev.muster.core.Provenance;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelSummary;
import dev.muster.model.memory.WeightFormat;
import java.util.Optional;

/// A model by a name: that of the catalogue, or a repository with the model or a quantization of it, such as
/// `Qwen/Qwen3-32B-AWQ`, `unsloth/Qwen3-32B-GGUF:Q4_K_M` or `Llama-3.1-8B-Instruct`. Immutable.
///
/// @param text the name as written
/// @param entry the model
/// @param architecture the architecture, with the format that the name implies, if any
/// @since 0.1
public record ModelName(String text, ModelEntry entry, ModelArchitecture architecture) {
    private static final Provenance NAME =
            Provenance.of("name of the repository", Provenance.Method.DERIVED, Provenance.Confidence.ASSUMED);

    /// Returns the model of a name; empty if the catalogue does not have it.
    public static Optional<ModelName> resolve(String text, ModelCatalogue catalogue) {
        RepositoryName name = RepositoryName.of(text);
        return catalogue.find(text).map(entry -> new ModelName(text, entry, architecture(entry, name)));
    }

    /// Returns the model that a fine-tune is named after, such as `qwen3.6-27b` for
    /// `Qwen3.6-27B-Ultimate-Uncensored-GGUF`, with the format that the name implies; empty if there is none.
    ///
    /// @since 0.3
    public static Optional<ModelSummary> resolveFineTune(String text, ModelCatalogue catalogue) {
        RepositoryName name = RepositoryName.of(text);
        return catalogue
                .findTuned(text)
                .map(entry -> new ModelName(text, entry, architecture(entry, name)).toSummary())
                .map(model -> model.asFineTune(name.repository()));
    }

    private static ModelArchitecture architecture(ModelEntry entry, RepositoryName name) {
        return switch (name.weights()) {
            case RepositoryName.Weights.Quantized(var how) ->
                entry.architecture().toBuilder().quantization(how, NAME).build();
            case RepositoryName.Weights.Plain _ ->
                entry.architecture().toBuilder().withoutQuantization().build();
            case RepositoryName.Weights.NotSaid _ -> entry.architecture();
        };
    }

    /// Returns the weight format of the name, such as `awq-int4`, or else that of the published model. Empty if that
    /// is 16 bits.
    public Optional<WeightFormat> findFormat() {
        return WeightFormat.findPublished(architecture);
    }

    /// Returns the repository: as written if the name has an owner, else that of the published model; empty if it is
    /// not published.
    public Optional<String> findRepository() {
        String written = RepositoryName.of(text).repository();
        return Optional.of(written.contains("/") ? written : entry.repository())
                .filter(repository -> repository.contains("/"));
    }

    /// Returns the facts that planners need; the format is that of [#findFormat()].
    public ModelSummary toSummary() {
        return entry.toSummary(findRepository().orElse(entry.id()), architecture);
    }
}
