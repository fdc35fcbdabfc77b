// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.models;

import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.text.CsvReader;
import dev.muster.model.CatalogueException;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.checkpoint.CheckpointReader;
import dev.muster.model.tensor.ParameterCount;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Writes rows of the model catalogue from a folder of configurations. `index.csv` there has columns of the catalogue
/// and `config`, the file of the configuration; rows of models that the catalogue has add to theirs.
public final class UpdateModels {
    private static final String INDEX = "index.csv";
    private static final String CONFIGS = "configs.txt";
    private static final String CONFIG = "config";
    private static final String ID = "model_id";
    private static final String TOTAL = "params_total_b";
    private static final String ACTIVE = "params_active_b";
    private static final MathContext DIGITS = new MathContext(5);
    private static final int USAGE_ERROR = 64;

    private final PrintStream errors;
    private final Map<String, Map<String, String>> rows = new LinkedHashMap<>();
    private final Map<String, String> configs = new TreeMap<>();
    private final List<String> columns = new ArrayList<>();

    UpdateModels(PrintStream errors) {
        this.errors = errors;
    }

    /// Updates.
    ///
    /// @param arguments the table, and the folder
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            System.err.println("usage: scripts/update-models FOLDER");
            System.exit(USAGE_ERROR);
        }
        System.exit(new UpdateModels(System.err).update(Path.of(arguments[0]), Path.of(arguments[1])));
    }

    /// Adds the models of a folder to a table and to the configurations beside it; writes nothing if one is not read
    /// exactly.
    int update(Path table, Path folder) throws IOException {
        Path stored = table.resolveSibling(CONFIGS);
        for (Map<String, String> row : read(table)) {
            rows.put(row.getOrDefault(ID, ""), row);
        }
        if (Files.exists(stored)) {
            Files.readAllLines(stored).stream()
                    .filter(line -> line.indexOf(' ') > 0)
                    .forEach(line ->
                            configs.put(line.substring(0, line.indexOf(' ')), line.substring(line.indexOf(' ') + 1)));
        }
        int failed = 0;
        for (Map<String, String> row : read(folder.resolve(INDEX))) {
            failed += isAdded(row, folder) ? 0 : 1;
        }
        if (failed > 0) {
            errors.println("update-models: nothing was written: " + failed + " models are not read exactly");
            return 1;
        }
        columns.remove(CONFIG);
        Files.writeString(table, text());
        StringBuilder lines = new StringBuilder();
        configs.forEach((id, json) -> lines.append(id).append(' ').append(json).append('\n'));
        Files.writeString(stored, lines);
        errors.println("update-models: " + rows.size() + " models, " + configs.size() + " of them by configuration");
        return 0;
    }

    private boolean isAdded(Map<String, String> given, Path folder) throws IOException {
        String id = given.getOrDefault(ID, "");
        Map<String, String> row = rows.computeIfAbsent(id, _ -> new LinkedHashMap<>());
        given.forEach((column, value) -> {
            if (!value.isEmpty() && !column.equals(CONFIG)) {
                row.put(column, value);
            }
        });
        String file = given.getOrDefault(CONFIG, "");
        if (file.isEmpty()) {
            takeOver(row);
            return true;
        }
        JsonObject whole = (JsonObject) JsonValue.parse(Files.readString(folder.resolve(file)));
        String plain = PlainConfig.of(whole).toText();
        ModelArchitecture full = CheckpointReader.parseConfig(whole.toText());
        ModelArchitecture read = CheckpointReader.parseConfig(plain);
        if (!isSame(full, read)) {
            errors.println(id + ": without what is left out, the configuration is read otherwise");
            return false;
        }
        if (!(ParameterCount.of(read) instanceof Reading.Known<ParameterCount>(ParameterCount count, var _))) {
            errors.println(id + ": " + ((Reading.Unknown<ParameterCount>) ParameterCount.of(read)).detail());
            return false;
        }
        configs.put(id, plain);
        fill(row, count);
        return true;
    }

    /// Takes the parameters of the model whose architecture a row has.
    private void takeOver(Map<String, String> row) {
        Map<String, String> like = rows.getOrDefault(row.getOrDefault("like", ""), Map.of());
        for (String column : List.of(TOTAL, ACTIVE)) {
            if (row.getOrDefault(column, "").isEmpty()) {
                row.put(column, like.getOrDefault(column, ""));
            }
        }
    }

    /// Adds the counted parameters if none are published.
    private void fill(Map<String, String> row, ParameterCount count) {
        if (row.getOrDefault(TOTAL, "").isEmpty()) {
            row.put(TOTAL, billions(count.total()));
            row.put("source", row.getOrDefault("source", "") + "; total is our own count");
        } else {
            double published = Double.parseDouble(row.getOrDefault(TOTAL, "")) * 1e9;
            double off = count.total() / published - 1;
            if (Math.abs(off) > 0.005) {
                errors.println(row.get(ID) + ": counted " + count.total() + ", published " + (long) published + ", "
                        + Math.round(1000 * off) / 10.0 + " %");
            }
        }
        if (row.getOrDefault(ACTIVE, "").isEmpty()) {
            row.put(ACTIVE, billions(count.active()));
        }
    }

    private static String billions(long parameters) {
        return new BigDecimal(parameters)
                .movePointLeft(9)
                .round(DIGITS)
                .stripTrailingZeros()
                .toPlainString();
    }

    private static boolean isSame(ModelArchitecture one, ModelArchitecture other) {
        for (ModelDimension dimension : ModelDimension.values()) {
            if (!one.find(dimension).equals(other.find(dimension))) {
                return false;
            }
        }
        return one.layers().equals(other.layers())
                && one.kind() == other.kind()
                && one.visionParameters().find().equals(other.visionParameters().find())
                && one.audioParameters().find().equals(other.audioParameters().find())
                && one.quantization().find().equals(other.quantization().find())
                && ParameterCount.of(one).find().equals(ParameterCount.of(other).find());
    }

    private List<Map<String, String>> read(Path csv) throws IOException {
        List<Map<String, String>> found = new ArrayList<>();
        CsvReader reader = CsvReader.strict(Files.readString(csv), CatalogueException::at);
        List<String> header = List.of();
        while (reader.next()) {
            List<String> fields = List.copyOf(reader.fields());
            if (header.isEmpty()) {
                header = fields;
                header.stream().filter(name -> !columns.contains(name)).forEach(columns::add);
            } else {
                Map<String, String> row = new LinkedHashMap<>();
                for (int at = 0; at < fields.size(); at++) {
                    row.put(header.get(at), fields.get(at));
                }
                found.add(row);
            }
        }
        return found;
    }

    private String text() {
        StringBuilder text = new StringBuilder(String.join(",", columns)).append('\n');
        for (Map<String, String> row : rows.values()) {
            List<String> fields = new ArrayList<>();
            columns.forEach(column -> fields.add(quoted(row.getOrDefault(column, ""))));
            text.append(String.join(",", fields)).append('\n');
        }
        return text.toString();
    }

    private static String quoted(String field) {
        return field.matches("[^,\"\n]*") ? field : '"' + field.replace("\"", "\"\"") + '"';
    }
}
