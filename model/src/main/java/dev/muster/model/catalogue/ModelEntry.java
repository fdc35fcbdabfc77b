// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelSummary;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A well-known model: one row of the model catalogue. Immutable.
///
/// To count the parameters of all models takes a quarter of the time that `muster plan` has for its start
/// (docs/decisions/0004), so a row's figures are read when they are first asked for.
///
/// @since 0.1
public final class ModelEntry {
    private final String id;
    private final String repository;
    private final List<String> aliases;
    private final Supplier<Figures> row;
    private final String note;
    private final String source;
    private final LocalDate date;
    /// Several threads may read the row at once, and find the same.
    private volatile @Nullable Figures figures;

    ModelEntry(
            String id,
            String repository,
            List<String> aliases,
            Supplier<Figures> row,
            String note,
            String source,
            LocalDate date) {
        this.id = id;
        this.repository = repository;
        this.aliases = List.copyOf(aliases);
        this.row = row;
        this.note = note;
        this.source = source;
        this.date = date;
    }

    /// What follows from the numbers of a row.
    record Figures(Reading<Long> parameters, Reading<Long> activeParameters, ModelArchitecture architecture) {}

    private Figures figures() {
        Figures known = figures;
        if (known == null) {
            known = row.get();
            figures = known;
        }
        return known;
    }

    /// Its short name, such as `llama-3.1-8b`.
    public String id() {
        return id;
    }

    /// Where its weights are published.
    public String repository() {
        return repository;
    }

    /// Other names of it.
    public List<String> aliases() {
        return aliases;
    }

    /// How many parameters it has.
    public Reading<Long> parameters() {
        return figures().parameters();
    }

    /// How many of them take part in one token.
    public Reading<Long> activeParameters() {
        return figures().activeParameters();
    }

    /// How it is built.
    public ModelArchitecture architecture() {
        return figures().architecture();
    }

    /// What else a reader should know; blank when nothing.
    public String note() {
        return note;
    }

    /// Where the figures are from.
    public String source() {
        return source;
    }

    /// The day on which they were looked at.
    public LocalDate date() {
        return date;
    }

    /// What planners need of it.
    public ModelSummary toSummary() {
        return toSummary(repository.contains("/") ? repository : id, architecture());
    }

    /// The same from another source, and built in another way.
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
