// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Lists of hosts as Slurm writes them: `node[03-05,7],login1`. Pure.
public final class HostList {
    /// The most hosts that a list may stand for; Slurm itself stops at 65,536 in one bracket.
    public static final int MAX_HOSTS = 1 << 18;

    private static final int MAX_LENGTH = 4 << 20;
    private static final int MAX_DIGITS = 18;
    private static final String NAME = "[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?";

    private HostList() {}

    /// The first host of a list; nothing if the text is none.
    public static Optional<String> first(String list) {
        if (list.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        StringBuilder host = new StringBuilder();
        int at = 0;
        while (at < list.length() && list.charAt(at) != ',') {
            char c = list.charAt(at);
            if (c == '[') {
                int end = list.indexOf(']', at);
                String inside = end < 0 ? "" : list.substring(at + 1, end);
                String number = inside.split("[-,]", 2)[0];
                if (!isNumber(number)) {
                    return Optional.empty();
                }
                host.append(number);
                at = end + 1;
            } else {
                host.append(c);
                at++;
            }
        }
        String name = host.toString().strip();
        return name.matches(NAME) ? Optional.of(name) : Optional.empty();
    }

    /// All hosts of a list, in its order.
    ///
    /// @throws IllegalArgumentException if the text is not a list of hosts, or stands for more than [#MAX_HOSTS]
    public static List<String> expand(String list) {
        if (list.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("a list of hosts has up to " + MAX_LENGTH + " characters");
        }
        List<String> hosts = new ArrayList<>();
        int start = 0;
        while (start < list.length()) {
            int end = endOfItem(list, start);
            String item = list.substring(start, end).strip();
            if (!item.isEmpty()) {
                expandItem(item, "", hosts);
            }
            start = end + 1;
        }
        return hosts;
    }

    /// The comma behind an item; those in brackets belong to it.
    private static int endOfItem(String list, int start) {
        int at = start;
        boolean inside = false;
        while (at < list.length() && (inside || list.charAt(at) != ',')) {
            inside = inside ? list.charAt(at) != ']' : list.charAt(at) == '[';
            at++;
        }
        return at;
    }

    private static void expandItem(String item, String before, List<String> hosts) {
        int open = item.indexOf('[');
        if (open < 0) {
            if (item.indexOf(']') >= 0) {
                throw isNot(item);
            }
            if (hosts.size() >= MAX_HOSTS) {
                throw new IllegalArgumentException("a list stands for more than " + MAX_HOSTS + " hosts");
            }
            hosts.add(before + item);
            return;
        }
        int close = item.indexOf(']', open);
        if (close < 0 || item.lastIndexOf(']', open) >= 0) {
            throw isNot(item);
        }
        String head = before + item.substring(0, open);
        String rest = item.substring(close + 1);
        for (String range : item.substring(open + 1, close).split(",", -1)) {
            expandRange(item, range, head, rest, hosts);
        }
    }

    private static void expandRange(String item, String range, String head, String rest, List<String> hosts) {
        int dash = range.indexOf('-');
        String from = dash < 0 ? range : range.substring(0, dash);
        String to = dash < 0 ? range : range.substring(dash + 1);
        if (!isNumber(from) || !isNumber(to)) {
            throw isNot(item);
        }
        long low = Long.parseLong(from);
        long high = Long.parseLong(to);
        if (high < low || high - low >= MAX_HOSTS) {
            throw isNot(item);
        }
        for (long number = low; number <= high; number++) {
            expandItem(rest, head + padded(number, from.length()), hosts);
        }
    }

    private static IllegalArgumentException isNot(String item) {
        String shown = item.length() > 80 ? item.substring(0, 80) + "…" : item;
        return new IllegalArgumentException("'" + shown + "' is not a list of hosts such as node[01-04,7]");
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() <= MAX_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static String padded(long number, int width) {
        String digits = Long.toString(number);
        return digits.length() >= width ? digits : "0".repeat(width - digits.length()) + digits;
    }

    /// Hosts as a short list, sorted and without repetitions: names that differ in their last number alone
    /// share a bracket.
    public static String fold(Collection<String> hosts) {
        Map<Stem, TreeSet<Long>> numbered = new LinkedHashMap<>();
        List<String> plain = new ArrayList<>();
        Set<String> sorted = new TreeSet<>(hosts);
        Set<Stem> padded = new HashSet<>();
        for (String host : sorted) {
            Stem stem = stem(host);
            if (stem != null && stem.width > 0) {
                padded.add(stem);
            }
        }
        for (String host : sorted) {
            Stem stem = stem(host);
            if (stem == null) {
                plain.add(host);
            } else {
                // Behind 0998 and 0999, 1000 is of the same width.
                int digits = host.length() - stem.head.length() - stem.tail.length();
                Stem same = new Stem(stem.head, stem.tail, digits);
                stem = padded.contains(same) ? same : stem;
                int end = host.length() - stem.tail.length();
                long number = Long.parseLong(host.substring(stem.head.length(), end));
                numbered.computeIfAbsent(stem, _ -> new TreeSet<>()).add(number);
            }
        }
        List<String> items = new ArrayList<>(plain);
        numbered.forEach((stem, numbers) -> items.add(folded(stem, numbers)));
        items.sort(NaturalOrder.INSTANCE);
        return String.join(",", items);
    }

    /// A name without its number.
    ///
    /// @param width the number of digits the number is padded to; 0 where it is not
    private record Stem(String head, String tail, int width) {}

    private static @Nullable Stem stem(String host) {
        int limit = host.indexOf('.');
        String own = limit < 0 || isNumber(host.substring(0, limit)) ? host : host.substring(0, limit);
        int end = own.length();
        while (end > 0 && !isDigit(own.charAt(end - 1))) {
            end--;
        }
        int start = end;
        while (start > 0 && isDigit(own.charAt(start - 1))) {
            start--;
        }
        if (start == end || end - start > MAX_DIGITS) {
            return null;
        }
        // Names with brackets of their own are not names of hosts.
        if (host.indexOf('[') >= 0 || host.indexOf(',') >= 0) {
            return null;
        }
        boolean padded = own.charAt(start) == '0' && end - start > 1;
        return new Stem(host.substring(0, start), host.substring(end), padded ? end - start : 0);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static String folded(Stem stem, Set<Long> numbers) {
        StringBuilder ranges = new StringBuilder();
        long first = -1;
        long last = -1;
        for (long number : numbers) {
            if (last >= 0 && number == last + 1 && digits(number, stem) == digits(last, stem)) {
                last = number;
            } else {
                append(ranges, first, last, stem);
                first = number;
                last = number;
            }
        }
        boolean single = ranges.isEmpty() && first == last;
        append(ranges, first, last, stem);
        return stem.head + (single ? ranges.toString() : "[" + ranges + "]") + stem.tail;
    }

    /// A padded range keeps its width; one that outgrows it would be read with the first number's.
    private static int digits(long number, Stem stem) {
        return stem.width == 0 ? 0 : Math.max(stem.width, Long.toString(number).length());
    }

    private static void append(StringBuilder ranges, long first, long last, Stem stem) {
        if (first < 0) {
            return;
        }
        ranges.append(ranges.isEmpty() ? "" : ",").append(padded(first, stem.width));
        if (last > first) {
            ranges.append('-').append(padded(last, stem.width));
        }
    }
}
