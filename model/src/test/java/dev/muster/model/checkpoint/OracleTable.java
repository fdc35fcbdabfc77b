// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Rows of a table with whole configurations in its fields, which are longer than those of other tables.
record OracleTable(Map<String, String> fields) {
    static List<OracleTable> parse(String text) {
        List<List<String>> lines = new ArrayList<>();
        List<String> line = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean isQuoted = false;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                boolean isDoubled = isQuoted && at + 1 < text.length() && text.charAt(at + 1) == '"';
                if (isDoubled) {
                    field.append(c);
                    at++;
                } else {
                    isQuoted = !isQuoted;
                }
            } else if (!isQuoted && (c == ',' || c == '\n')) {
                line.add(field.toString());
                field.setLength(0);
                if (c == '\n') {
                    lines.add(line);
                    line = new ArrayList<>();
                }
            } else if (isQuoted || c != '\r') {
                field.append(c);
            }
        }
        List<OracleTable> rows = new ArrayList<>();
        for (List<String> values : lines.subList(1, lines.size())) {
            Map<String, String> fields = new HashMap<>();
            for (int column = 0; column < values.size(); column++) {
                fields.put(lines.getFirst().get(column), values.get(column));
            }
            rows.add(new OracleTable(fields));
        }
        return rows;
    }

    /// Returns a field; blank if it is empty.
    String get(String column) {
        return fields.getOrDefault(column, "");
    }

    @Override
    public String toString() {
        return get("model");
    }
}
