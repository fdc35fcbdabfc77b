// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.catalogue.ModelUse;
import dev.muster.plan.serving.FormatFit;
import java.util.Comparator;
import java.util.Locale;

/// A goal by which models that run are ranked.
///
/// @since 0.3
public enum ModelGoal {
    /// By age in whole years, then by size.
    NEWEST,
    /// By the published score for the use; models without one go last.
    QUALITY,
    /// By tokens per second of one sequence.
    SPEED,
    /// By the tokens of one sequence that fit.
    CONTEXT;

    /// Returns the name in options and documents, such as `newest`.
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// A model that runs, and how.
    record Ranked(ModelEntry model, FormatFit fit) {}

    /// Returns the order of models, which leaves equal ones as they are.
    Comparator<Ranked> order(ModelUse use) {
        return switch (this) {
            case NEWEST -> (_, _) -> 0;
            case QUALITY ->
                Comparator.comparingDouble(ranked -> -use.findScore(ranked.model())
                        .map(ModelUse.Score::value)
                        .orElse(0.0));
            case SPEED ->
                Comparator.comparingDouble(ranked ->
                        -ranked.fit().plan().orElseThrow().tokensPerSecond().p50());
            case CONTEXT -> Comparator.comparingInt(ranked -> -ranked.fit().tokensAlone());
        };
    }
}
