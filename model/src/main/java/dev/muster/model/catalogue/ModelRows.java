// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.model.LayerKinds;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelQuantization;
import dev.muster.model.memory.PublishedFormat;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.model.tensor.ParameterCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Reads the table of models. Pure.
final class ModelRows {
    private static final List<String> REQUIRED = List.of("model_id", "params_total_b", "source", "date");

    private static final long MAX_BILLIONS = 1_000_000;
    private static final long MAX_DIMENSION = 1_000_000_000;
    private static final double BILLION = 1e9;
    /// Allowed rounding of published sizes; a larger difference means that the architecture has more tensors.
    private static final double TOLERANCE = 0.005;

    private ModelRows() {}

    static List<ModelEntry> read(String text) {
        List<String> optional = new ArrayList<>(List.of(
                "repository", "aliases", "family", "params_active_b", "tied", "layer_pattern", "published_as", "note"));
        for (ModelDimension dimension : ModelDimension.values()) {
            if (!dimension.column().isEmpty()) {
                optional.add(dimension.column());
            }
        }
        optional.sort(null);
        List<ModelEntry> entries = new ArrayList<>();
        for (CsvRow row : CsvTable.parse(text).checked(REQUIRED, optional).rows()) {
            entries.add(entry(row));
        }
        return entries;
    }

    private static ModelEntry entry(CsvRow row) {
        String id = row.require("model_id").toLowerCase(Locale.ROOT);
        return new ModelEntry(
                id,
                row.orEmpty("repository"),
                row.list("aliases"),
                () -> figures(row, id),
                row.orEmpty("note"),
                row.require("source"),
                row.requireDate("date"));
    }

    private static ModelEntry.Figures figures(CsvRow row, String id) {
        Provenance source =
                Provenance.of("model catalogue, " + id, Provenance.Method.CATALOGUE, Provenance.Confidence.STATED);
        ModelArchitecture architecture = architecture(row, source);
        double published = row.requirePositive("params_total_b", MAX_BILLIONS);
        Reading<ParameterCount> counted = ParameterCount.of(architecture);
        boolean exact = counted instanceof Reading.Known<ParameterCount>(ParameterCount count, Provenance from)
                && from.confidence() == Provenance.Confidence.STATED
                && isNear(count.total(), published);
        Reading<Long> active = row.findPositive("params_active_b", MAX_BILLIONS)
                .map(billions -> Reading.known(parameters(billions), rounded(source)))
                .orElseGet(() -> Reading.known(parameters(published), rounded(source)));
        return new ModelEntry.Figures(
                exact ? counted.map(ParameterCount::total) : Reading.known(parameters(published), rounded(source)),
                exact ? counted.map(ParameterCount::active) : active,
                architecture);
    }

    /// Checks the letters of layers, one for each, as [ModelArchitecture#layerPattern()] explains them.
    private static String checked(CsvRow row, String letters) {
        if (!LayerKinds.isPattern(letters)
                || letters.length() != row.findCount("layers", 1, MAX_DIMENSION).orElse(0L)) {
            throw row.error(
                    "layer_pattern is one of M, *, E and - for each layer, not '" + CsvRow.shown(letters) + "'");
        }
        return letters;
    }

    private static Provenance rounded(Provenance source) {
        return Provenance.of(source.source() + ", rounded", source.method(), Provenance.Confidence.ASSUMED);
    }

    private static boolean isNear(long count, double billions) {
        return Math.abs(count - parameters(billions)) <= TOLERANCE * parameters(billions);
    }

    private static long parameters(double billions) {
        return Math.round(billions * BILLION);
    }

    private static ModelArchitecture architecture(CsvRow row, Provenance source) {
        ModelArchitecture.Builder builder = ModelArchitecture.builder();
        row.find("family").ifPresent(family -> builder.family(family, source));
        for (ModelDimension dimension : ModelDimension.values()) {
            row.findCount(dimension.column(), 1, MAX_DIMENSION)
                    .ifPresent(value -> builder.dimension(dimension, value, source));
        }
        row.find("layer_pattern").ifPresent(letters -> builder.layerPattern(checked(row, letters), source));
        row.find("published_as").ifPresent(how -> builder.quantization(ModelQuantization.of(how), source));
        row.findCount("tied", 0, 1).ifPresent(tied -> builder.tiedEmbeddings(tied == 1, source));
        ModelArchitecture architecture = builder.build();
        if (architecture.quantization().isKnown()
                && PublishedFormat.find(architecture).isEmpty()) {
            throw row.error("published_as is a format such as fp8, mxfp4 or awq, not '"
                    + CsvRow.shown(row.orEmpty("published_as")) + "'");
        }
        return architecture;
    }
}
