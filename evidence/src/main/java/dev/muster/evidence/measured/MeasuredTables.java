// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.measured;

import dev.muster.model.CatalogueException;
import dev.muster.model.table.CsvTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// Tables of published measurements: CSV texts by the name of their file. Immutable.
///
/// @since 0.1
public final class MeasuredTables {
    /// Tokens per second, times to the first token and between tokens.
    public static final String INFERENCE = "inference.csv";
    /// Speeds and times of engines under load, and of Transformers without one.
    public static final String SERVING = "serving.csv";
    /// Runs with disaggregated prefill and decode, in the columns of aiconfigurator. None comes with Muster.
    public static final String DISAGGREGATED = "disaggregated.csv";
    /// Training speed.
    public static final String TRAINING = "training.csv";
    /// Memory and sizes of files.
    public static final String MEMORY = "memory.csv";
    /// Times of models that do not chat: encoders, speech, images and videos.
    ///
    /// @since 0.3
    public static final String OTHER = "other.csv";
    /// Inference steps of one H200.
    public static final String H200_INFERENCE = "h200_inference_measured.csv";
    /// Training steps of one H200.
    public static final String H200_TRAINING = "h200_training_measured.csv";
    /// llama.cpp on one H200 and on its host's processor, in the columns of [#INFERENCE] and [#SERVING]. Rows with
    /// `yes` under `held` are predicted, never fitted.
    ///
    /// @since 0.3
    public static final String H200_LLAMA_CPP = "h200_llama_cpp_measured.csv";

    /// The names of all tables.
    public static final List<String> NAMES = List.of(
            INFERENCE, SERVING, DISAGGREGATED, TRAINING, MEMORY, OTHER, H200_INFERENCE, H200_TRAINING, H200_LLAMA_CPP);

    private final Function<String, Optional<String>> texts;

    private MeasuredTables(Function<String, Optional<String>> texts) {
        this.texts = texts;
    }

    /// Returns the measurements that come with Muster: those whose licence permits redistribution. The coefficients
    /// were fitted to more. Each table is read on first use.
    public static MeasuredTables builtIn() {
        return new MeasuredTables(name -> name.equals(DISAGGREGATED)
                ? Optional.empty()
                : Optional.of(CsvTable.resource(MeasuredTables.class, name)));
    }

    /// Returns other measurements.
    ///
    /// @param texts content of files by [#NAMES]; a missing table has no rows
    public static MeasuredTables of(Map<String, String> texts) {
        Map<String, String> copy = Map.copyOf(texts);
        return new MeasuredTables(name -> Optional.ofNullable(copy.get(name)));
    }

    /// Returns the rows of these tables and of others.
    ///
    /// @since 0.2
    public MeasuredTables with(MeasuredTables more) {
        return new MeasuredTables(name -> Stream.of(this, more)
                .flatMap(tables -> tables.find(name).stream())
                .reduce((first, second) -> joined(name, first, second)));
    }

    private static String joined(String name, String first, String second) {
        String[] parts = second.split("\n", 2);
        if (!first.startsWith(parts[0] + "\n") || parts.length < 2) {
            throw CatalogueException.of(name + " has other columns than the table that it is added to");
        }
        return (first.endsWith("\n") ? first : first + "\n") + parts[1];
    }

    /// Returns a table; empty if there is none of that name.
    public Optional<String> find(String name) {
        return texts.apply(name);
    }
}
