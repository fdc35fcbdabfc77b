// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.text.FixedText;
import dev.muster.plan.SavedPlan;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Two saved plans, side by side.
///
/// @param a the one plan
/// @param b the other
public record PlansText(Saved a, Saved b) implements Report {
    private static final String REPLICAS = "replicas";
    /// The name of replicas in training plans; tables have one row for both names.
    private static final String DATA_PARALLEL = "dataParallel";

    /// A saved plan.
    ///
    /// @param name file name
    /// @param plan the plan
    public record Saved(String name, SavedPlan plan) {
        String model() {
            return plan.model();
        }

        private Optional<JsonValue> find(String key) {
            return plan.plan()
                    .find(key)
                    .or(() -> key.equals(REPLICAS) ? plan.plan().find(DATA_PARALLEL) : Optional.empty());
        }

        private Optional<Double> ratio(Saved other, String key) {
            return plan.ratio(other.plan, key)
                    .or(() -> key.equals(REPLICAS) ? plan.ratio(other.plan, DATA_PARALLEL) : Optional.empty());
        }
    }

    /// The labels of compared values, by their names in documents.
    private static final Map<String, String> LABELS = labels();

    private static Map<String, String> labels() {
        Map<String, String> rows = new HashMap<>();
        rows.put("engine", "engine");
        rows.put("framework", "framework");
        rows.put("device", "device");
        rows.put("devices", "devices");
        rows.put(REPLICAS, "DP (replicas)");
        rows.put("tensorParallel", "TP");
        rows.put("contextParallel", "CP");
        rows.put("pipelineParallel", "PP");
        rows.put("expertParallel", "EP");
        rows.put("microBatch", "micro-batch");
        rows.put("recompute", "recompute");
        rows.put("weightBytes", "weights");
        rows.put("kvCacheBytes", "KV cache");
        rows.put("peakBytes", "peak");
        rows.put("tokensPerSecond", "tokens/s");
        rows.put("timePerOutputTokenSeconds", "TPOT, s");
        rows.put("timeToFirstTokenSeconds", "TTFT, s");
        rows.put("timeToFirstTokenQueuedSeconds", "TTFT, all at once, s");
        rows.put("stepSeconds", "step, s");
        rows.put("mfuRatio", "MFU");
        rows.put("usdPerMillionTokens", "USD per million tokens");
        rows.put("joulesPerToken", "J per token");
        return rows;
    }

    @Override
    public String text(Terminal terminal) {
        FactLines lines = new FactLines(terminal).title("two plans");
        lines.add("A", a.name() + ": " + a.model());
        lines.add("B", b.name() + ": " + b.model());
        Table<String> table = new Table<String>(terminal)
                .left("", LABELS::get)
                .right("A", key -> a.find(key).map(value -> text(key, value)))
                .right("B", key -> b.find(key).map(value -> text(key, value)))
                .right(
                        "B / A",
                        key -> a.ratio(b, key)
                                .map(ratio -> FixedText.of(ratio, 2))
                                .orElse(""));
        return lines + "\n"
                + table.render(SavedPlan.COMPARED.stream()
                        .filter(key -> !key.equals(DATA_PARALLEL))
                        .filter(key -> a.find(key).isPresent() || b.find(key).isPresent())
                        .toList());
    }

    private static String text(String key, JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> Printable.of(text);
            case JsonBoolean(boolean truth) -> truth ? "yes" : "no";
            case JsonNumber number -> figure(key, number.toDouble());
            case JsonObject object ->
                figure(key, object, "p50") + " (" + figure(key, object, "p10") + " to " + figure(key, object, "p90")
                        + ")";
            default -> "";
        };
    }

    private static String figure(String key, JsonObject object, String name) {
        return object.find(name).orElse(new JsonNull()) instanceof JsonNumber number
                ? figure(key, number.toDouble())
                : "?";
    }

    /// Returns a figure: memory in the displayed unit, other numbers with four significant digits.
    private static String figure(String key, double value) {
        if (key.endsWith("Bytes")) {
            return Quantity.ofBytes(value);
        }
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return FixedText.of(value, 0);
        }
        int whole = value == 0 ? 0 : (int) Math.floor(Math.log10(Math.abs(value)));
        return FixedText.of(value, Math.clamp(3L - whole, 0, 9));
    }

    @Override
    public JsonValue json() {
        return a.plan().compare(a.name(), b.plan(), b.name());
    }
}
