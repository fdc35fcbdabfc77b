// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.prometheus;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.fleet.json.JsonFields;
import dev.muster.fleet.json.JsonItems;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/// Reads what a Prometheus server answers to a query: a vector, or a matrix, of which the last value counts.
final class QueryAnswer implements JsonItems.Visitor {
    private static final int MAX_SERIES = 3_000_000;
    private static final long MAX_BYTES = 2L << 30;

    private final Consumer<Sample> sink;
    private int series;
    private String status = "";

    private QueryAnswer(Consumer<Sample> sink) {
        this.sink = sink;
    }

    /// Hands each series to a sink.
    ///
    /// @throws IOException if it is not such an answer, or reports an error
    static void read(InputStream body, Consumer<Sample> sink) throws IOException {
        QueryAnswer answer = new QueryAnswer(sink);
        try {
            new JsonItems(body, MAX_BYTES, JsonItems.MAX_ITEM_BYTES).readObject(answer, Set.of("data", "result"));
        } catch (DocumentException e) {
            throw new IOException("the answer is not JSON: " + e.getMessage(), e);
        }
        if (!answer.status.equals("success")) {
            throw new IOException("the answer is not from Prometheus");
        }
    }

    @Override
    public void item(String list, byte[] text) throws IOException {
        if (++series > MAX_SERIES) {
            throw new IOException("there are more than " + MAX_SERIES + " series");
        }
        JsonValue item = JsonValue.parse(text);
        List<JsonValue> value = JsonFields.items(item, "value");
        List<JsonValue> values = JsonFields.items(item, "values");
        if (value.isEmpty() && !values.isEmpty() && values.getLast() instanceof JsonValue.JsonArray(var last)) {
            value = last;
        }
        if (value.size() != 2) {
            return;
        }
        Map<String, String> labels = new HashMap<>();
        JsonFields.members(item, "metric").forEach((key, label) -> labels.put(key, JsonFields.plain(label)));
        String name = labels.getOrDefault("__name__", "");
        labels.remove("__name__");
        double seconds = ExpositionReader.number(JsonFields.plain(value.get(0))).orElse(Double.NaN);
        OptionalLong millis =
                Double.isFinite(seconds) ? OptionalLong.of((long) (seconds * 1000)) : OptionalLong.empty();
        ExpositionReader.number(JsonFields.plain(value.get(1)))
                .ifPresent(number -> sink.accept(new Sample(name, labels, number, millis)));
    }

    @Override
    public void member(String name, byte[] text) {
        if (name.equals("status")) {
            status = JsonFields.plain(JsonValue.parse(text));
        }
    }
}
