// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import dev.muster.core.Provenance;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelSummary;
import dev.muster.model.memory.PublishedFormat;
import dev.muster.model.memory.WeightFormat;
import java.util.Optional;

/// A model as somebody names it: by its name in the catalogue, or by a repository that holds it or a quantization of
/// it, such as `Qwen/Qwen3-32B-AWQ`, `unsloth/Qwen3-32B-GGUF:Q4_K_M` or `Llama-3.1-8B-Instruct`. Immutable.
///
/// @param text the name as written
/// @param entry the model
/// @param architecture how the model is built, with the format that the name implies where it implies one
/// @since 0.1
public record ModelName(String text, ModelEntry entry, ModelArchitecture architecture) {
    private static final Provenance NAME =
            Provenance.of("name of the repository", Provenance.Method.DERIVED, Provenance.Confidence.ASSUMED);

    /// The model that a name means; nothing where the catalogue has none.
    public static Optional<ModelName> resolve(String text, ModelCatalogue catalogue) {
        RepositoryName name = RepositoryName.of(text);
        return catalogue.find(text).map(entry -> new ModelName(text, entry, architecture(entry, name)));
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

    /// The format of the weights that the name means, such as `awq-int4`: its own, or else that of the model as it
    /// is published. Nothing where that is 16 bits.
    public Optional<WeightFormat> findFormat() {
        return PublishedFormat.find(architecture);
    }

    /// The repository: as written where the name has an owner, else where the model is published; nothing where
    /// that is nowhere.
    public Optional<String> findRepository() {
        String written = RepositoryName.of(text).repository();
        return Optional.of(written.contains("/") ? written : entry.repository())
                .filter(repository -> repository.contains("/"));
    }

    /// What planners need of it; the format is that of [#findFormat()].
    public ModelSummary toSummary() {
        return entry.toSummary(findRepository().orElse(entry.id()), architecture);
    }
}
