// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.model.CatalogueException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Reads request traces in their published forms.
final class TraceReader {
    private static final List<String> TIMES =
            List.of("timestamp", "arrived_at", "arrival_timestamp", "arrival_time", "arrival", "time");
    private static final List<String> INPUTS = List.of(
            "contexttokens",
            "request tokens",
            "num_prefill_tokens",
            "prompt_size",
            "input_length",
            "input_tokens",
            "input");
    private static final List<String> OUTPUTS = List.of(
            "generatedtokens",
            "response tokens",
            "num_decode_tokens",
            "token_size",
            "output_length",
            "output_tokens",
            "output");
    private static final int MOONCAKE_BLOCK = 512;
    private static final int BAILIAN_BLOCK = 16;
    private static final double MILLIS = 1e3;
    private static final double NANOS = 1e9;
    private static final int MAX_FIELDS = 64;
    private static final int MAX_SHOWN = 40;

    private final TraceRows rows = new TraceRows();
    private final Map<String, Double> lastOfSession = new HashMap<>();
    /// Dates count from the first, so that fractions of a second are kept.
    private long firstSecond;

    private TraceReader() {}

    static RequestTrace read(String text) {
        TraceReader reader = new TraceReader();
        String start = text.stripLeading();
        if (start.startsWith("{")) {
            reader.readJson(text);
        } else if (start.isEmpty()) {
            throw CatalogueException.of("the trace is empty");
        } else {
            reader.readCsv(text);
        }
        return reader.rows.finish();
    }

    /// Columns of a table.
    private record Columns(int time, int input, int output) {}

    private void readCsv(String text) {
        int line = 0;
        Columns columns = null;
        int width = 0;
        String[] fields = new String[MAX_FIELDS];
        for (int from = 0; from < text.length(); ) {
            int to = text.indexOf('\n', from);
            int end = to < 0 ? text.length() : to;
            line++;
            int count = split(text, from, end, fields, line);
            from = end + 1;
            if (count == 0) {
                continue;
            }
            if (columns == null) {
                columns = columns(fields, count, line);
                width = count;
                continue;
            }
            if (count != width) {
                throw CatalogueException.at(line, "there are " + count + " fields, but " + width + " columns");
            }
            double at = columns.time < 0 ? Double.NaN : time(fields[columns.time], line);
            rows.add(line, at, tokens(fields[columns.input], line), tokens(fields[columns.output], line));
        }
    }

    private static int split(String text, int from, int to, String[] fields, int line) {
        int end = to > from && text.charAt(to - 1) == '\r' ? to - 1 : to;
        if (text.substring(from, end).isBlank()) {
            return 0;
        }
        int count = 0;
        int start = from;
        for (int i = from; i <= end; i++) {
            if (i == end || text.charAt(i) == ',') {
                if (count == fields.length) {
                    throw CatalogueException.at(line, "there are more than " + MAX_FIELDS + " fields");
                }
                fields[count++] = text.substring(start, i).strip();
                start = i + 1;
            }
        }
        return count;
    }

    private static Columns columns(String[] fields, int count, int line) {
        int input = column(fields, count, INPUTS);
        int output = column(fields, count, OUTPUTS);
        if (input < 0 || output < 0) {
            throw CatalogueException.at(
                    line,
                    "no column for " + (input < 0 ? "the tokens of prompts" : "the tokens of answers")
                            + "; name it input, output or as Azure, BurstGPT and Vidur do, and the time timestamp");
        }
        return new Columns(column(fields, count, TIMES), input, output);
    }

    private static int column(String[] fields, int count, List<String> names) {
        for (String name : names) {
            for (int i = 0; i < count; i++) {
                if (fields[i].toLowerCase(Locale.ROOT).equals(name)) {
                    return i;
                }
            }
        }
        return -1;
    }

    private static long tokens(String text, int line) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException _) {
            throw CatalogueException.at(line, "'" + shown(text) + "' is not a number of tokens");
        }
    }

    /// Parses seconds, or a date with a time as in `2023-11-16 18:15:46.6805900`.
    private double time(String text, int line) {
        try {
            if (text.indexOf(':') > 0) {
                Instant moment = LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
                firstSecond = firstSecond == 0 ? moment.getEpochSecond() : firstSecond;
                return moment.getEpochSecond() - firstSecond + moment.getNano() / NANOS;
            }
            double seconds = Double.parseDouble(text);
            if (seconds >= 0 && seconds < 1e12) {
                return seconds;
            }
        } catch (NumberFormatException | DateTimeException _) {
            throw badTime(text, line);
        }
        throw badTime(text, line);
    }

    private static CatalogueException badTime(String text, int line) {
        return CatalogueException.at(
                line, "'" + shown(text) + "' is not a time; write seconds, or a date as in 2023-11-16 18:15:46.68");
    }

    private static String shown(String text) {
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
    }

    private void readJson(String text) {
        int line = 0;
        for (int from = 0; from < text.length(); ) {
            int to = text.indexOf('\n', from);
            int end = to < 0 ? text.length() : to;
            line++;
            String one = text.substring(from, end);
            from = end + 1;
            if (one.isBlank()) {
                continue;
            }
            try {
                readObject(JsonValue.parse(one), line);
            } catch (DocumentException e) {
                throw CatalogueException.at(line, "no request as JSON: " + e.getMessage());
            }
        }
    }

    private void readObject(JsonValue object, int line) {
        if (object.find("input_toks").isPresent()) {
            double at = number(object, "arrival_time_ns", line) / NANOS;
            rows.add(line, at, whole(object, "input_toks", line), whole(object, "output_toks", line));
            return;
        }
        if (object.find("input_length").isEmpty()) {
            throw CatalogueException.at(
                    line,
                    "no request: the keys 'input_length' or 'input_toks' are missing; a trace"
                            + " is a table, or JSON lines as those of Mooncake or LLMServingSim");
        }
        boolean isBailian = object.find("chat_id").isPresent();
        long output = whole(object, "output_length", line);
        rows.add(line, moment(object, isBailian, line), whole(object, "input_length", line), output);
        if (output > 0 && object.find("hash_ids").orElse(null) instanceof JsonArray(List<JsonValue> items)) {
            List<Integer> numbers = new ArrayList<>();
            for (JsonValue item : items) {
                numbers.add(block(item, line));
            }
            rows.addBlocks(line, numbers, isBailian ? BAILIAN_BLOCK : MOONCAKE_BLOCK);
        }
    }

    /// Returns the time of a request, or that of the last of its session plus its delay.
    private double moment(JsonValue object, boolean isBailian, int line) {
        String session = object.find("session_id").orElse(null) instanceof JsonString(String name) ? name : "";
        double scale = isBailian ? 1 : MILLIS;
        double at;
        if (object.find("timestamp").isPresent()) {
            at = number(object, "timestamp", line) / scale;
        } else {
            double before = Optional.ofNullable(lastOfSession.get(session)).orElse(rows.last());
            at = before + number(object, "delay", line) / scale;
        }
        at = Math.max(at, rows.last());
        lastOfSession.put(session, at);
        return at;
    }

    private static int block(JsonValue item, int line) {
        if (item instanceof JsonNumber number) {
            try {
                return Integer.parseInt(number.text());
            } catch (NumberFormatException _) {
                throw CatalogueException.at(line, "a block of 'hash_ids' is not an integer");
            }
        }
        throw CatalogueException.at(line, "a block of 'hash_ids' is not an integer");
    }

    private static double number(JsonValue object, String key, int line) {
        double number = Double.parseDouble(object.requireNumber(key).text());
        if (number < 0 || number > 1e19) {
            throw CatalogueException.at(line, "'" + key + "' is out of range");
        }
        return number;
    }

    private static long whole(JsonValue object, String key, int line) {
        double number = number(object, key, line);
        if (number != Math.rint(number)) {
            throw CatalogueException.at(line, "'" + key + "' is not an integer");
        }
        return (long) number;
    }
}
