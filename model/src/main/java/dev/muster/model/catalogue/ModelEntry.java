// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelKind;
import dev.muster.model.ModelSummary;
import dev.muster.model.table.CsvRow;
import java.time.LocalDate;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A well-known model: one row of the model catalogue. Immutable.
///
/// Reading all rows and counting the parameters of all models takes longer than `muster plan` has for its start
/// (docs/decisions/0004), so each part of a row is read on first use.
///
/// @since 0.1
public final class ModelEntry {
    private final String id;
    private final ModelRows rows;
    private final Supplier<CsvRow> line;
    /// Each computed on first use, perhaps by several threads, with the same result.
    private volatile @Nullable CsvRow row;

    private volatile @Nullable Size size;
    private volatile @Nullable ModelArchitecture architecture;

    ModelEntry(String id, Supplier<CsvRow> line, ModelRows rows) {
        this.id = id;
        this.line = line;
        this.rows = rows;
    }

    /// The size of a model, from its row and its architecture.
    record Size(Reading<Long> parameters, Reading<Long> activeParameters, OptionalLong context) {}

    CsvRow row() {
        CsvRow known = row;
        if (known == null) {
            known = line.get();
            row = known;
        }
        return known;
    }

    private Size size() {
        Size known = size;
        if (known == null) {
            known = rows.size(this);
            size = known;
        }
        return known;
    }

    /// Returns the short name, such as `llama-3.1-8b`.
    public String id() {
        return id;
    }

    /// Returns the repository of the published weights.
    public String repository() {
        return row().orEmpty("repository");
    }

    /// Returns other names of the model.
    public List<String> aliases() {
        return row().list("aliases");
    }

    /// Returns the task of the model.
    ///
    /// @since 0.3
    public ModelKind kind() {
        return ModelRows.kind(row());
    }

    /// Returns the day or month of publication, such as `2026-04-22` or `2026-04`; blank if it is unknown.
    ///
    /// @since 0.3
    public String released() {
        return ModelRows.released(row());
    }

    /// Returns the licence of the weights, such as `apache-2.0`; blank if it is unknown.
    ///
    /// @since 0.3
    public String licence() {
        return row().orEmpty("licence");
    }

    /// Returns what the model reads beside text: `image`, `audio` or `video`.
    ///
    /// @since 0.3
    public List<String> inputs() {
        return row().list("inputs");
    }

    /// Returns repositories of the model in other formats.
    ///
    /// @since 0.3
    public List<String> variants() {
        return row().list("formats");
    }

    /// Returns the number of parameters.
    public Reading<Long> parameters() {
        return size().parameters();
    }

    /// Returns the number of parameters that take part in one token.
    public Reading<Long> activeParameters() {
        return size().activeParameters();
    }

    /// Returns the longest context, in tokens; empty if it is unknown.
    ///
    /// @since 0.3
    public OptionalLong findContext() {
        return size().context();
    }

    /// Returns the architecture.
    public ModelArchitecture architecture() {
        ModelArchitecture known = architecture;
        if (known == null) {
            known = rows.architecture(row(), id);
            architecture = known;
        }
        return known;
    }

    /// Returns a note for readers; blank if there is none.
    public String note() {
        return row().orEmpty("note");
    }

    /// Returns the source of the figures.
    public String source() {
        return row().require("source");
    }

    /// Returns the day on which the source was read.
    public LocalDate date() {
        return row().requireDate("date");
    }

    /// Returns the facts that planners need.
    public ModelSummary toSummary() {
        return toSummary(repository().contains("/") ? repository() : id, architecture());
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
