// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import java.util.ArrayList;
import java.util.List;

/// A generic resource of a node or a job: `gpu:h100:4(S:0-1)`, `gpu:h100:2(IDX:0,3)`.
///
/// @param name its name, such as `gpu`
/// @param type its type, such as `h100`; blank if types are not distinguished
/// @param count the number
/// @param indices their numbers among those of the same name, where Slurm tells them
record Gres(String name, String type, int count, List<Integer> indices) {
    /// The most of one kind in a node; a larger number is not a count of devices.
    static final int MAX_COUNT = 4096;
    /// The longest list that is read.
    private static final int MAX_LENGTH = 1 << 16;

    private static final int MAX_DIGITS = 9;

    Gres {
        indices = List.copyOf(indices);
    }

    /// The resources of a list; what is none is read over.
    static List<Gres> parse(String list) {
        List<Gres> all = new ArrayList<>();
        if (list.length() > MAX_LENGTH) {
            return all;
        }
        int start = 0;
        int depth = 0;
        for (int at = 0; at <= list.length(); at++) {
            char c = at == list.length() ? ',' : list.charAt(at);
            depth += c == '(' ? 1 : c == ')' && depth > 0 ? -1 : 0;
            if (c == ',' && (depth == 0 || at == list.length())) {
                parseOne(list.substring(start, at).strip(), all);
                start = at + 1;
            }
        }
        return all;
    }

    private static void parseOne(String text, List<Gres> all) {
        int bracket = text.indexOf('(');
        String plain = bracket < 0 ? text : text.substring(0, bracket);
        // Requests are written as gres/gpu:h100:2 and, in lists of TRES, gres/gpu:h100=2.
        String words =
                plain.startsWith("gres/") ? plain.substring("gres/".length()).replace('=', ':') : plain;
        String[] parts = words.split(":", -1);
        String name = parts[0];
        if (name.isBlank() || plain.contains("null") || name.indexOf('/') >= 0) {
            return;
        }
        int last = parts.length - 1;
        int count = last > 0 ? count(parts[last]) : -1;
        List<String> type = new ArrayList<>();
        for (int i = 1; i < (count < 0 ? parts.length : last); i++) {
            if (!parts[i].equals("no_consume")) {
                type.add(parts[i]);
            }
        }
        List<Integer> indices = bracket < 0 ? List.of() : indices(text.substring(bracket));
        all.add(new Gres(name, String.join(":", type), count < 0 ? 1 : count, indices));
    }

    /// A count such as `4` or `2K`; -1 where it is none.
    private static int count(String text) {
        if (text.isEmpty()) {
            return -1;
        }
        char unit = text.charAt(text.length() - 1);
        int factor = unit == 'K' ? 1 << 10 : unit == 'M' ? 1 << 20 : unit == 'G' ? 1 << 30 : 1;
        String digits = factor == 1 ? text : text.substring(0, text.length() - 1);
        if (digits.isEmpty() || digits.length() > MAX_DIGITS || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(digits) * factor);
    }

    /// The numbers in `(IDX:0-2,5)`; `(IDX:N/A)` has none.
    private static List<Integer> indices(String brackets) {
        int start = brackets.indexOf("IDX:");
        int end = start < 0 ? -1 : brackets.indexOf(')', start);
        List<Integer> numbers = new ArrayList<>();
        if (end < 0) {
            return numbers;
        }
        for (String range : brackets.substring(start + "IDX:".length(), end).split(",", -1)) {
            String[] ends = range.split("-", 2);
            int low = count(ends[0]);
            int high = count(ends[ends.length - 1]);
            if (low < 0 || high < low || high >= MAX_COUNT) {
                return List.of();
            }
            for (int number = low; number <= high; number++) {
                numbers.add(number);
            }
        }
        return numbers.size() > MAX_COUNT ? List.of() : numbers;
    }
}
