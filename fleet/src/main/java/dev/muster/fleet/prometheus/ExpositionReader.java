// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.prometheus;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Reads lines of Prometheus' text form and of OpenMetrics: `name{label="value"} 1.5 1700000000000`.
final class ExpositionReader {
    private static final int MAX_LABELS = 128;
    private static final int MAX_LABEL = 4096;

    private final String line;
    private int at;

    private ExpositionReader(String line) {
        this.line = line;
    }

    /// Reports whether a line holds no sample by its form: a comment, or nothing.
    static boolean isComment(String line) {
        return line.isBlank() || line.stripLeading().startsWith("#");
    }

    /// The metric's name at a line's beginning, without a look at the rest.
    static String name(String line) {
        int end = 0;
        while (end < line.length() && isOfName(line.charAt(end))) {
            end++;
        }
        return line.substring(0, end);
    }

    /// The sample of a line; nothing where it is none.
    static Optional<Sample> read(String line) {
        return new ExpositionReader(line).sample();
    }

    private Optional<Sample> sample() {
        String name = name(line);
        at = name.length();
        if (name.isEmpty() || Character.isDigit(name.charAt(0))) {
            return Optional.empty();
        }
        skipBlanks();
        Map<String, String> labels = new HashMap<>();
        if (at < line.length() && line.charAt(at) == '{' && !readLabels(labels)) {
            return Optional.empty();
        }
        String value = word();
        String time = word();
        // What follows a mark is an exemplar of OpenMetrics.
        String rest = time.startsWith("#") ? "" : word();
        if (!rest.isEmpty() && !rest.startsWith("#")) {
            return Optional.empty();
        }
        OptionalLong millis = time.isEmpty() || time.startsWith("#") ? OptionalLong.empty() : time(time);
        if (!time.isEmpty() && !time.startsWith("#") && millis.isEmpty()) {
            return Optional.empty();
        }
        return number(value).map(read -> new Sample(name, labels, read, millis));
    }

    private boolean readLabels(Map<String, String> labels) {
        at++;
        while (true) {
            skipBlanks();
            if (at < line.length() && line.charAt(at) == '}') {
                at++;
                return true;
            }
            int start = at;
            while (at < line.length() && isOfName(line.charAt(at))) {
                at++;
            }
            String key = line.substring(start, at);
            skipBlanks();
            if (key.isEmpty() || at >= line.length() || line.charAt(at) != '=' || labels.size() >= MAX_LABELS) {
                return false;
            }
            at++;
            skipBlanks();
            Optional<String> value = quoted();
            if (value.isEmpty()) {
                return false;
            }
            labels.put(key, value.get());
            skipBlanks();
            if (at < line.length() && line.charAt(at) == ',') {
                at++;
            } else if (at >= line.length() || line.charAt(at) != '}') {
                return false;
            }
        }
    }

    private Optional<String> quoted() {
        if (at >= line.length() || line.charAt(at) != '"') {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder();
        for (at++; at < line.length() && text.length() <= MAX_LABEL; at++) {
            char c = line.charAt(at);
            if (c == '"') {
                at++;
                return Optional.of(text.toString());
            }
            if (c == '\\' && at + 1 < line.length()) {
                at++;
                text.append(line.charAt(at) == 'n' ? '\n' : line.charAt(at));
            } else {
                text.append(c);
            }
        }
        return Optional.empty();
    }

    private String word() {
        skipBlanks();
        int start = at;
        while (at < line.length() && line.charAt(at) != ' ' && line.charAt(at) != '\t') {
            at++;
        }
        return line.substring(start, at);
    }

    private void skipBlanks() {
        while (at < line.length() && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
            at++;
        }
    }

    private static boolean isOfName(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
    }

    /// Milliseconds in Prometheus' form; seconds with a fraction in OpenMetrics'.
    private static OptionalLong time(String text) {
        Optional<Double> number = number(text).filter(Double::isFinite);
        if (number.isEmpty()) {
            return OptionalLong.empty();
        }
        boolean isSeconds = text.indexOf('.') >= 0 || Math.abs(number.get()) < 1e11;
        return OptionalLong.of((long) (isSeconds ? number.get() * 1000 : number.get()));
    }

    /// A number as Prometheus writes it; nothing for other texts.
    static Optional<Double> number(String text) {
        return switch (text) {
            case "NaN", "Nan", "nan" -> Optional.of(Double.NaN);
            case "+Inf", "Inf", "+inf", "inf" -> Optional.of(Double.POSITIVE_INFINITY);
            case "-Inf", "-inf" -> Optional.of(Double.NEGATIVE_INFINITY);
            default -> decimal(text);
        };
    }

    private static Optional<Double> decimal(String text) {
        if (text.isEmpty() || text.length() > 64) {
            return Optional.empty();
        }
        for (int i = 0; i < text.length(); i++) {
            // Java would read `1d`, `0x1p3` and blanks too.
            if ("0123456789+-.eE".indexOf(text.charAt(i)) < 0) {
                return Optional.empty();
            }
        }
        try {
            return Optional.of(Double.parseDouble(text));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
