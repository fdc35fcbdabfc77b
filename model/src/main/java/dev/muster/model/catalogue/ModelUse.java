// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import dev.muster.model.ModelKind;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A use of models. Each but [#IMAGE] has one public benchmark, by which models are compared.
///
/// @since 0.3
public enum ModelUse {
    /// Conversation and questions.
    CHAT,
    /// Writing programs.
    CODE,
    /// Questions about images.
    VISION,
    /// Embeddings and rerankers.
    EMBED,
    /// Recognition and synthesis of speech.
    SPEECH,
    /// Generation of images and videos.
    IMAGE;

    /// Parts of the names of models that were trained to write programs.
    private static final List<String> CODERS = List.of("code", "codestral", "devstral", "coder", "mellum", "deepswe");

    private static final long MOST_SCORE = 100;

    /// Returns the name in options and documents, such as `chat`.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Reports whether a model is for this use.
    public boolean isOf(ModelEntry entry) {
        ModelKind kind = entry.kind();
        return switch (this) {
            case CHAT -> kind == ModelKind.TEXT_GENERATION;
            case CODE ->
                kind == ModelKind.TEXT_GENERATION
                        && (CODERS.stream().anyMatch(entry.id()::contains)
                                || findScore(entry).isPresent());
            case VISION -> kind == ModelKind.TEXT_GENERATION && entry.inputs().contains("image");
            case EMBED -> kind == ModelKind.EMBEDDING || kind == ModelKind.RERANKER;
            case SPEECH -> kind == ModelKind.SPEECH_RECOGNITION || kind == ModelKind.TEXT_TO_SPEECH;
            case IMAGE -> kind == ModelKind.IMAGE_GENERATION || kind == ModelKind.VIDEO_GENERATION;
        };
    }

    /// Returns the published score of a model for this use; empty where none is known.
    public Optional<Score> findScore(ModelEntry entry) {
        return Optional.ofNullable(Table.SCORES.get(entry.id() + '/' + label()));
    }

    /// A published score of a model.
    ///
    /// @param value the score, of 100
    /// @param benchmark the benchmark
    /// @param source the publication
    /// @param date the day of the source
    public record Score(double value, String benchmark, String source, LocalDate date) {}

    /// Read for the first model that is asked for.
    private static final class Table {
        private static final Map<String, Score> SCORES = read();

        private static Map<String, Score> read() {
            Map<String, Score> scores = new HashMap<>();
            List<String> columns = List.of("model_id", "use", "benchmark", "score", "source", "date");
            for (CsvRow row : CsvTable.parse(CsvTable.resource(ModelUse.class, "quality.csv"))
                    .checked(columns, List.of())
                    .rows()) {
                scores.put(
                        row.require("model_id") + '/' + row.require("use"),
                        new Score(
                                row.requirePositive("score", MOST_SCORE),
                                row.require("benchmark"),
                                row.require("source"),
                                row.requireDate("date")));
            }
            return Map.copyOf(scores);
        }
    }
}
