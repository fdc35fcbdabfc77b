// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.model.CatalogueException;
import dev.muster.model.LayerKinds;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelKind;
import dev.muster.model.ModelQuantization;
import dev.muster.model.memory.PublishedFormat;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.model.tensor.ParameterCount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Reads the table of models. Pure.
final class ModelRows {
    private static final List<String> REQUIRED = List.of("model_id", "params_total_b", "source", "date");

    private static final long MAX_BILLIONS = 1_000_000;
    private static final long MAX_DIMENSION = 1_000_000_000;
    private static final double BILLION = 1e9;
    /// Allowed rounding of published sizes; a larger difference means that the architecture has more tensors.
    private static final double TOLERANCE = 0.005;

    private ModelRows() {}

    /// Returns the models by their short names.
    ///
    /// @param configs configurations of models by their short names
    static Map<String, ModelEntry> read(String text, Function<String, Optional<ModelArchitecture>> configs) {
        List<String> optional = new ArrayList<>(List.of(
                "repository",
                "aliases",
                "family",
                "params_active_b",
                "tied",
                "layer_pattern",
                "published_as",
                "note",
                "like",
                "kind",
                "released",
                "licence",
                "inputs",
                "formats"));
        for (ModelDimension dimension : ModelDimension.values()) {
            if (!dimension.column().isEmpty()) {
                optional.add(dimension.column());
            }
        }
        optional.sort(null);
        Map<String, ModelEntry> entries = new LinkedHashMap<>();
        for (CsvRow row : CsvTable.parse(text).checked(REQUIRED, optional).rows()) {
            ModelEntry entry = entry(row, entries, configs);
            if (entries.put(entry.id(), entry) != null) {
                throw CatalogueException.of("model '" + CsvRow.shown(entry.id()) + "' occurs twice; delete one");
            }
        }
        return entries;
    }

    /// @param above the models of the rows above
    private static ModelEntry entry(
            CsvRow row, Map<String, ModelEntry> above, Function<String, Optional<ModelArchitecture>> configs) {
        String id = row.require("model_id").toLowerCase(Locale.ROOT);
        ModelKind kind = row.find("kind").map(label -> kind(row, label)).orElse(ModelKind.TEXT_GENERATION);
        Optional<ModelEntry> like = row.find("like").map(other -> {
            ModelEntry found = above.get(other);
            if (found == null) {
                throw row.error("like is the model_id of a row above, not '" + CsvRow.shown(other) + "'");
            }
            return found;
        });
        return new ModelEntry(
                id,
                row.orEmpty("repository"),
                row.list("aliases"),
                () -> figures(row, id, kind, described(row, id, like, configs)),
                new ModelEntry.Published(
                        kind, released(row), row.orEmpty("licence"), row.list("inputs"), row.list("formats")),
                row.orEmpty("note"),
                row.require("source"),
                row.requireDate("date"));
    }

    private static ModelKind kind(CsvRow row, String label) {
        for (ModelKind kind : ModelKind.values()) {
            if (kind.label().equals(label)) {
                return kind;
            }
        }
        throw row.error(
                "kind is one of text-generation, embedding, reranker and so on, not '" + CsvRow.shown(label) + "'");
    }

    /// Returns a month or day as written, after checking it.
    private static String released(CsvRow row) {
        String text = row.orEmpty("released");
        for (int at = 0; at < text.length(); at++) {
            boolean isDash = at == 4 || at == 7;
            if (isDash != (text.charAt(at) == '-') || (!isDash && (text.charAt(at) < '0' || text.charAt(at) > '9'))) {
                throw row.error("released is a month or a day as in 2026-04-22, not '" + CsvRow.shown(text) + "'");
            }
        }
        if (!text.isEmpty() && text.length() != "2026-04".length() && text.length() != "2026-04-22".length()) {
            throw row.error("released is a month or a day as in 2026-04-22, not '" + CsvRow.shown(text) + "'");
        }
        return text;
    }

    private static ModelEntry.Figures figures(CsvRow row, String id, ModelKind kind, ModelArchitecture described) {
        Provenance source =
                Provenance.of("model catalogue, " + id, Provenance.Method.CATALOGUE, Provenance.Confidence.STATED);
        ModelArchitecture architecture =
                architecture(row, source, described).toBuilder().kind(kind).build();
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

    /// Returns the architecture of a stored configuration or of another row, which columns add to.
    private static ModelArchitecture described(
            CsvRow row, String id, Optional<ModelEntry> like, Function<String, Optional<ModelArchitecture>> configs) {
        if (row.find("layers").isPresent()) {
            return ModelArchitecture.UNKNOWN;
        }
        return like.map(ModelEntry::architecture).or(() -> configs.apply(id)).orElse(ModelArchitecture.UNKNOWN);
    }

    private static ModelArchitecture architecture(CsvRow row, Provenance source, ModelArchitecture described) {
        ModelArchitecture.Builder builder = described.toBuilder();
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
