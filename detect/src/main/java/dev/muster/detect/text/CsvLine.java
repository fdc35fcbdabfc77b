package dev.muster.detect.text;

import java.util.ArrayList;
import java.util.List;

/// Splits a line of comma-separated values, some of which may stand in quotes.
///
/// @since 0.1
public final class CsvLine {
    /// The most values that are taken of one line.
    public static final int MAX_VALUES = 256;

    private CsvLine() {}

    /// The values without the white space around them; a quote within quotes is written twice.
    public static List<String> split(String line) {
        List<String> values = new ArrayList<>();
        StringBuilder value = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length() && values.size() < MAX_VALUES; i++) {
            char c = line.charAt(i);
            if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                value.append(c);
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                values.add(value.toString().strip());
                value.setLength(0);
            } else {
                value.append(c);
            }
        }
        if (values.size() < MAX_VALUES) {
            values.add(value.toString().strip());
        }
        return values;
    }
}
