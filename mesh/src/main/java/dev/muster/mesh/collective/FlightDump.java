// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The recording of one rank of a group, as it travels: a JSON document with the rank, the group, and each call.
///
/// @param group the name of the group
/// @param rank recording rank, by its rank of the world
/// @param records the calls, oldest first
/// @since 0.1
public record FlightDump(String group, int rank, List<FlightRecord> records) {
    private static final String KIND = "mesh-recording";
    private static final int HEAD_BYTES = 256;

    /// Copies the calls.
    public FlightDump {
        records = List.copyOf(records);
    }

    /// The last calls alone.
    public FlightDump last(int calls) {
        return new FlightDump(group, rank, records.subList(Math.max(0, records.size() - calls), records.size()));
    }

    /// The document.
    public JsonObject toJson() {
        return JsonObject.builder()
                .put("schema", 1)
                .put("kind", KIND)
                .put("group", group)
                .put("rank", rank)
                .put("calls", records.stream().map(FlightDump::json).toList())
                .build();
    }

    private static JsonValue json(FlightRecord record) {
        return JsonObject.builder()
                .put("sequence", record.sequence())
                .put("call", record.what())
                .put("state", record.state().text())
                .put("startNanos", record.startNanos())
                .put("tookNanos", record.nanos())
                .build();
    }

    /// Reports whether a file begins as a document that a rank wrote.
    public static boolean isDump(byte[] content) {
        String start = new String(content, 0, Math.min(content.length, HEAD_BYTES), StandardCharsets.ISO_8859_1);
        return start.contains('"' + KIND + '"');
    }

    /// Reads a document that a rank wrote.
    ///
    /// @throws DocumentException if it is none
    public static FlightDump parse(String text) {
        JsonValue document = JsonValue.parse(text);
        if (!text(document, "kind").equals(KIND)) {
            throw DocumentException.of(
                    DocumentException.DocumentErrorCode.WRONG_VALUE, "this is not a recording of a mesh");
        }
        if (!(document.find("calls").orElse(null) instanceof JsonArray(List<JsonValue> calls))) {
            throw missing("calls");
        }
        long rank = number(document, "rank");
        if (rank < 0 || rank > Integer.MAX_VALUE) {
            throw DocumentException.of(
                    DocumentException.DocumentErrorCode.WRONG_VALUE, "rank " + rank + " does not exist");
        }
        List<FlightRecord> records = calls.stream().map(FlightDump::record).toList();
        return new FlightDump(text(document, "group"), (int) rank, records);
    }

    private static FlightRecord record(JsonValue call) {
        return new FlightRecord(
                number(call, "sequence"),
                text(call, "call"),
                number(call, "startNanos"),
                number(call, "tookNanos"),
                CallState.parse(text(call, "state")));
    }

    private static String text(JsonValue object, String name) {
        if (object.find(name).orElse(null) instanceof JsonString(String value)) {
            return value;
        }
        throw missing(name);
    }

    private static long number(JsonValue object, String name) {
        if (object.find(name).orElse(null) instanceof JsonNumber number && number.isWhole()) {
            BigDecimal value = number.toDecimal();
            if (value.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0) {
                return value.longValueExact();
            }
        }
        throw missing(name);
    }

    private static DocumentException missing(String name) {
        return DocumentException.of(
                DocumentException.DocumentErrorCode.MISSING_KEY,
                "'" + name + "' is missing, or is not what a recording of a mesh has there");
    }

    /// One call of a group as it was recorded.
    ///
    /// @param sequence its number within the group, from 1
    /// @param what the call: `all-reduce of 1,000 float32, sum`
    /// @param startNanos its start, by the clock of [System#nanoTime()] of that process
    /// @param nanos its time; -1 while it runs
    /// @param state its state
    /// @since 0.1
    public record FlightRecord(long sequence, String what, long startNanos, long nanos, CallState state) {}
}
