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
import dev.muster.model.memory.WeightFormat;
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

    private final Map<String, ModelEntry> entries = new LinkedHashMap<>();
    private final Function<String, Optional<ModelArchitecture>> configs;
    private final Function<String, Optional<ModelEntry.Size>> sizes;

    private ModelRows(
            Function<String, Optional<ModelArchitecture>> configs, Function<String, Optional<ModelEntry.Size>> sizes) {
        this.configs = configs;
        this.sizes = sizes;
    }

    /// Returns the models of a table of a user by their short names. Every row is checked.
    static Map<String, ModelEntry> read(String text) {
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
        ModelRows rows = new ModelRows(_ -> Optional.empty(), _ -> Optional.empty());
        for (CsvRow row : CsvTable.parse(text).checked(REQUIRED, optional).rows()) {
            String id = row.require("model_id").toLowerCase(Locale.ROOT);
            ModelEntry entry = new ModelEntry(id, () -> row, rows);
            entry.kind();
            entry.released();
            entry.source();
            entry.date();
            entry.parameters();
            if (rows.entries.put(id, entry) != null) {
                throw CatalogueException.of("model '" + CsvRow.shown(id) + "' occurs twice; delete one");
            }
        }
        return rows.entries;
    }

    /// Returns the models of the table that comes with Muster. A row is read when it is asked for, and what is wrong
    /// with the table is found by tests.
    ///
    /// @param configs configurations of models by their short names
    /// @param sizes sizes that were counted before, by short names
    static Map<String, ModelEntry> index(
            String text,
            Function<String, Optional<ModelArchitecture>> configs,
            Function<String, Optional<ModelEntry.Size>> sizes) {
        ModelRows rows = new ModelRows(configs, sizes);
        for (CsvTable.Line line : CsvTable.lines(text)) {
            String id = line.first();
            rows.entries.put(id, new ModelEntry(id, line, rows));
        }
        return rows.entries;
    }

    /// Returns the size of a model, as counted before or now.
    ModelEntry.Size size(ModelEntry entry) {
        Optional<ModelEntry.Size> known = sizes.apply(entry.id());
        return known.isPresent() ? known.get() : size(entry.row(), entry.id(), entry.architecture());
    }

    static ModelKind kind(CsvRow row) {
        String label = row.orEmpty("kind");
        if (label.isEmpty()) {
            return ModelKind.TEXT_GENERATION;
        }
        for (ModelKind kind : ModelKind.values()) {
            if (kind.label().equals(label)) {
                return kind;
            }
        }
        throw row.error(
                "kind is one of text-generation, embedding, reranker and so on, not '" + CsvRow.shown(label) + "'");
    }

    /// Returns a month or day as written, after checking it.
    static String released(CsvRow row) {
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

    private static ModelEntry.Size size(CsvRow row, String id, ModelArchitecture architecture) {
        Provenance rounded = rounded(id);
        double published = row.requirePositive("params_total_b", MAX_BILLIONS);
        Reading<ParameterCount> counted = ParameterCount.of(architecture);
        boolean exact = counted instanceof Reading.Known<ParameterCount>(ParameterCount count, Provenance from)
                && from.confidence() == Provenance.Confidence.STATED
                && isNear(count.total(), published);
        double active = row.findPositive("params_active_b", MAX_BILLIONS).orElse(published);
        return new ModelEntry.Size(
                exact ? counted.map(ParameterCount::total) : Reading.known(parameters(published), rounded),
                exact ? counted.map(ParameterCount::active) : Reading.known(parameters(active), rounded),
                architecture.find(ModelDimension.CONTEXT));
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

    /// Returns the provenance of published sizes.
    static Provenance rounded(String id) {
        return Provenance.of(
                "model catalogue, " + id + ", rounded", Provenance.Method.CATALOGUE, Provenance.Confidence.ASSUMED);
    }

    private static boolean isNear(long count, double billions) {
        return Math.abs(count - parameters(billions)) <= TOLERANCE * parameters(billions);
    }

    private static long parameters(double billions) {
        return Math.round(billions * BILLION);
    }

    /// Returns the architecture of a row.
    ModelArchitecture architecture(CsvRow row, String id) {
        Provenance source =
                Provenance.of("model catalogue, " + id, Provenance.Method.CATALOGUE, Provenance.Confidence.STATED);
        ModelArchitecture.ArchitectureBuilder builder = described(row, id).toBuilder();
        row.find("family").ifPresent(family -> builder.family(family, source));
        for (ModelDimension dimension : ModelDimension.values()) {
            row.findCount(dimension.column(), 1, MAX_DIMENSION)
                    .ifPresent(value -> builder.dimension(dimension, value, source));
        }
        row.find("layer_pattern").ifPresent(letters -> builder.layerPattern(checked(row, letters), source));
        row.find("published_as").ifPresent(how -> builder.quantization(ModelQuantization.of(how), source));
        row.findCount("tied", 0, 1).ifPresent(tied -> builder.tiedEmbeddings(tied == 1, source));
        ModelArchitecture stated = builder.kind(kind(row)).build();
        if (stated.layers().isEmpty()
                && stated.doubt().isEmpty()
                && stated.family().find().isEmpty()) {
            builder.doubt("the catalogue has its size alone; give its folder or config.json");
        }
        ModelArchitecture architecture = builder.build();
        if (architecture.quantization().isKnown()
                && WeightFormat.findPublished(architecture).isEmpty()) {
            throw row.error("published_as is a format such as fp8, mxfp4 or awq, not '"
                    + CsvRow.shown(row.orEmpty("published_as")) + "'");
        }
        return architecture;
    }

    /// Returns the architecture of a stored configuration or of another row, which columns add to.
    private ModelArchitecture described(CsvRow row, String id) {
        Optional<ModelEntry> like = row.find("like").map(other -> {
            ModelEntry found = entries.get(other);
            if (found == null) {
                throw row.error("like is the model_id of a row above, not '" + CsvRow.shown(other) + "'");
            }
            return found;
        });
        return row.find("layers").isPresent()
                ? ModelArchitecture.UNKNOWN
                : like.map(ModelEntry::architecture).or(() -> configs.apply(id)).orElse(ModelArchitecture.UNKNOWN);
    }
}
