// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.catalogue;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.model.CatalogueException;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelKind;
import dev.muster.model.memory.WeightFormat;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.model.tensor.ParameterCount;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Rows of a user's table of models, from configurations. A row is kept only if it is read back as the same
/// architecture.
final class CatalogueRefresh {
    private static final List<String> FIRST =
            List.of("model_id", "repository", "aliases", "family", "params_total_b", "params_active_b");
    private static final List<String> LAST = List.of(
            "tied",
            "layer_pattern",
            "published_as",
            "note",
            "source",
            "date",
            "like",
            "kind",
            "released",
            "licence",
            "inputs",
            "formats");

    private final List<String> columns = new ArrayList<>(FIRST);
    private final Map<String, String> lines = new LinkedHashMap<>();

    private CatalogueRefresh() {
        for (ModelDimension dimension : ModelDimension.values()) {
            if (!dimension.column().isEmpty()) {
                columns.add(dimension.column());
            }
        }
        columns.addAll(LAST);
    }

    /// Returns a writer of the rows of a table; of none if its text is empty.
    static CatalogueRefresh of(String table) {
        CatalogueRefresh refresh = new CatalogueRefresh();
        if (!table.isBlank()) {
            ModelRows.read(table);
            for (CsvRow row : CsvTable.parse(table).rows()) {
                Map<String, String> fields = new LinkedHashMap<>();
                refresh.columns.forEach(column -> fields.put(column, row.orEmpty(column)));
                refresh.lines.put(row.require("model_id").toLowerCase(Locale.ROOT), refresh.line(fields));
            }
        }
        return refresh;
    }

    /// Adds a model, or replaces its row.
    ///
    /// @param repository the repository, or a name alone
    /// @return the parameters; unknown if the table cannot hold the architecture
    Reading<Long> add(String repository, ModelArchitecture architecture, LocalDate day) {
        if (architecture.kind() != ModelKind.TEXT_GENERATION) {
            return refused("it is " + architecture.kind().label() + ", which a table cannot describe");
        }
        Reading<ParameterCount> counted = ParameterCount.of(architecture);
        if (!(counted instanceof Reading.Known<ParameterCount>(ParameterCount count, var _))) {
            return refused(((Reading.Unknown<ParameterCount>) counted).detail());
        }
        String id = repository.substring(repository.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        String line = line(fields(id, repository, architecture, count, day));
        if (!isSame(line, architecture, count)) {
            return refused("the columns of a table cannot hold its architecture; name its folder instead");
        }
        lines.put(id, line);
        return counted.map(ParameterCount::total);
    }

    String text() {
        return String.join(",", columns) + '\n' + String.join("", lines.values());
    }

    private static Reading<Long> refused(String reason) {
        return Reading.unknown(UnknownReason.NOT_STATED, reason);
    }

    private Map<String, String> fields(
            String id, String repository, ModelArchitecture architecture, ParameterCount count, LocalDate day) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("model_id", id);
        fields.put("repository", repository);
        fields.put("family", architecture.family().find().orElse(""));
        fields.put("params_total_b", billions(count.total()));
        fields.put("params_active_b", billions(count.active()));
        for (ModelDimension dimension : ModelDimension.values()) {
            architecture
                    .find(dimension)
                    .ifPresent(value -> fields.put(dimension.column(), value == 0 ? "" : Long.toString(value)));
        }
        fields.put(
                "tied",
                architecture
                        .tiedEmbeddings()
                        .find()
                        .map(tied -> tied ? "1" : "0")
                        .orElse(""));
        fields.put("layer_pattern", architecture.layerPattern().find().orElse(""));
        fields.put(
                "published_as",
                WeightFormat.findPublished(architecture)
                        .map(WeightFormat::label)
                        .orElse(""));
        fields.put("source", "config.json");
        fields.put("date", day.toString());
        return fields;
    }

    private boolean isSame(String line, ModelArchitecture architecture, ParameterCount count) {
        try {
            ModelEntry entry = ModelRows.read(String.join(",", columns) + '\n' + line)
                    .values()
                    .iterator()
                    .next();
            return entry.parameters().find().equals(Optional.of(count.total()))
                    && entry.activeParameters().find().equals(Optional.of(count.active()))
                    && entry.architecture().layers().equals(architecture.layers())
                    && WeightFormat.findPublished(entry.architecture())
                            .equals(WeightFormat.findPublished(architecture));
        } catch (CatalogueException _) {
            return false;
        }
    }

    private String line(Map<String, String> fields) {
        List<String> row = new ArrayList<>();
        columns.forEach(column -> row.add(quoted(fields.getOrDefault(column, ""))));
        return String.join(",", row) + '\n';
    }

    private static String quoted(String field) {
        boolean isPlain = field.indexOf(',') < 0 && field.indexOf('"') < 0 && field.indexOf('\n') < 0;
        return isPlain ? field : '"' + field.replace("\"", "\"\"") + '"';
    }

    private static String billions(long parameters) {
        return new BigDecimal(parameters).movePointLeft(9).stripTrailingZeros().toPlainString();
    }
}
