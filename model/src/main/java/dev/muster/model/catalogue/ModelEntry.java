// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelKind;
import dev.muster.model.ModelSummary;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A well-known model: one row of the model catalogue. Immutable.
///
/// Counting the parameters of all models takes a quarter of the time that `muster plan` has for its start
/// (docs/decisions/0004), so the figures of a row are read on first use.
///
/// @since 0.1
public final class ModelEntry {
    private final String id;
    private final String repository;
    private final List<String> aliases;
    private final Supplier<Figures> row;
    private final Published published;
    private final String note;
    private final String source;
    private final LocalDate date;
    /// Computed on first use, perhaps by several threads, with the same result.
    private volatile @Nullable Figures figures;

    ModelEntry(
            String id,
            String repository,
            List<String> aliases,
            Supplier<Figures> row,
            Published published,
            String note,
            String source,
            LocalDate date) {
        this.id = id;
        this.repository = repository;
        this.aliases = List.copyOf(aliases);
        this.row = row;
        this.published = published;
        this.note = note;
        this.source = source;
        this.date = date;
    }

    /// The numbers derived from a row.
    record Figures(Reading<Long> parameters, Reading<Long> activeParameters, ModelArchitecture architecture) {}

    /// The facts of a model's publication.
    ///
    /// @param kind the task of the model
    /// @param released the day or month, as in `2026-04` or `2026-04-22`; blank if unknown
    /// @param licence the licence; blank if unknown
    /// @param inputs kinds of input beside text: `image`, `audio`, `video`
    /// @param variants repositories of other formats
    record Published(ModelKind kind, String released, String licence, List<String> inputs, List<String> variants) {}

    private Figures figures() {
        Figures known = figures;
        if (known == null) {
            known = row.get();
            figures = known;
        }
        return known;
    }

    /// Returns the short name, such as `llama-3.1-8b`.
    public String id() {
        return id;
    }

    /// Returns the repository of the published weights.
    public String repository() {
        return repository;
    }

    /// Returns other names of the model.
    public List<String> aliases() {
        return aliases;
    }

    /// Returns the task of the model.
    ///
    /// @since 0.3
    public ModelKind kind() {
        return published.kind();
    }

    /// Returns the day or month of publication, such as `2026-04-22` or `2026-04`; blank if it is unknown.
    ///
    /// @since 0.3
    public String released() {
        return published.released();
    }

    /// Returns the licence of the weights, such as `apache-2.0`; blank if it is unknown.
    ///
    /// @since 0.3
    public String licence() {
        return published.licence();
    }

    /// Returns what the model reads beside text: `image`, `audio` or `video`.
    ///
    /// @since 0.3
    public List<String> inputs() {
        return published.inputs();
    }

    /// Returns repositories of the model in other formats.
    ///
    /// @since 0.3
    public List<String> variants() {
        return published.variants();
    }

    /// Returns the number of parameters.
    public Reading<Long> parameters() {
        return figures().parameters();
    }

    /// Returns the number of parameters that take part in one token.
    public Reading<Long> activeParameters() {
        return figures().activeParameters();
    }

    /// Returns the architecture.
    public ModelArchitecture architecture() {
        return figures().architecture();
    }

    /// Returns a note for readers; blank if there is none.
    public String note() {
        return note;
    }

    /// Returns the source of the figures.
    public String source() {
        return source;
    }

    /// Returns the day on which the source was read.
    public LocalDate date() {
        return date;
    }

    /// Returns the facts that planners need.
    public ModelSummary toSummary() {
        return toSummary(repository.contains("/") ? repository : id, architecture());
    }

    /// Returns the facts that planners need, for another source and architecture.
    ModelSummary toSummary(String from, ModelArchitecture built) {
        return new ModelSummary(
                id,
                from,
                parameters(),
                activeParameters(),
                Reading.unknown(UnknownReason.NOT_STATED, "no file was read"),
                built);
    }
}
