package dev.muster.plan.catalogue;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.plan.ModelArchitecture;
import dev.muster.plan.ModelSummary;
import java.time.LocalDate;
import java.util.List;

/// A well-known model: one row of the model catalogue. Immutable.
///
/// @param id its short name, such as `llama-3.1-8b`
/// @param repository where its weights are published
/// @param aliases other names of it
/// @param parameters how many parameters it has
/// @param activeParameters how many of them take part in one token
/// @param architecture how it is built
/// @param note what else a reader should know; blank when nothing
/// @param source where the figures are from
/// @param date the day on which they were looked at
/// @since 0.1
public record ModelEntry(
        String id,
        String repository,
        List<String> aliases,
        Reading<Long> parameters,
        Reading<Long> activeParameters,
        ModelArchitecture architecture,
        String note,
        String source,
        LocalDate date) {
    /// Copies the names.
    public ModelEntry {
        aliases = List.copyOf(aliases);
    }

    /// What planners need of it.
    public ModelSummary toSummary() {
        return new ModelSummary(
                id,
                parameters,
                activeParameters,
                Reading.unknown(UnknownReason.NOT_STATED, "no file was read"),
                architecture);
    }
}
