// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.core.DeviceId;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A process on a device; one that uses several has a row for each.
///
/// @param device the device
/// @param place the place of the device in its registry
/// @param pid the process
/// @param parent its parent; 0 if unknown
/// @param user its user; null if unknown
/// @param command its command line, or its name
/// @param memory the device memory it holds; null if unknown
/// @param load the share of the device's time that it computes; null if unknown
/// @param hostMemory the host memory it holds; null if unknown
/// @param age its age; null if unknown
/// @param depth number of its ancestors above it, in a tree
record ProcessRow(
        DeviceId device,
        int place,
        long pid,
        long parent,
        @Nullable String user,
        String command,
        @Nullable Bytes memory,
        @Nullable Ratio load,
        @Nullable Bytes hostMemory,
        @Nullable Duration age,
        int depth) {
    private static final int MOST_DEPTH = 16;
    private static final int UP = 1;
    private static final int DOWN = -1;

    /// The orders of processes.
    enum Sort {
        MEMORY("memory"),
        PID("pid"),
        USER("user"),
        DEVICE("device"),
        COMMAND("command"),
        AGE("time");

        private final String word;

        Sort(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }

        Sort next() {
            List<Sort> all = List.of(values());
            return all.get((all.indexOf(this) + 1) % all.size());
        }
    }

    /// Returns the rows whose device, number, user or command has a text in it, sorted or as a tree.
    static List<ProcessRow> arrange(List<ProcessRow> all, String filter, Sort sort, boolean tree) {
        List<ProcessRow> rows = new ArrayList<>();
        for (ProcessRow row : all) {
            if (row.matches(filter)) {
                rows.add(row);
            }
        }
        rows.sort((one, other) -> compare(one, other, sort));
        return tree ? asTree(rows) : rows;
    }

    /// Large numbers come first and unknown ones last; equal rows are ordered by number and device, so that they do not
    /// jump from one look to the next. By hand, since comparators of comparators make classes at start-up.
    private static int compare(ProcessRow one, ProcessRow other, Sort sort) {
        int first = switch (sort) {
            case MEMORY -> compare(one.memory, other.memory, DOWN);
            case PID, DEVICE -> 0;
            case USER -> compare(one.user, other.user, UP);
            case COMMAND -> one.command.compareTo(other.command);
            case AGE -> compare(one.age, other.age, DOWN);
        };
        int pids = Long.compare(one.pid, other.pid);
        int places = Integer.compare(one.place, other.place);
        if (sort == Sort.DEVICE) {
            return places != 0 ? places : pids;
        }
        return first != 0 ? first : pids != 0 ? pids : places;
    }

    private static <T extends Comparable<T>> int compare(@Nullable T one, @Nullable T other, int direction) {
        return one == null || other == null
                ? (one == null ? 1 : 0) - (other == null ? 1 : 0)
                : direction * one.compareTo(other);
    }

    /// Children stand below their parents, in the order they have among each other.
    private static List<ProcessRow> asTree(List<ProcessRow> sorted) {
        Set<Long> shown = new HashSet<>();
        sorted.forEach(row -> shown.add(row.pid()));
        Map<Long, List<ProcessRow>> children = new LinkedHashMap<>();
        for (ProcessRow row : sorted) {
            long above = shown.contains(row.parent()) && row.parent() != row.pid() ? row.parent() : 0;
            children.computeIfAbsent(above, _ -> new ArrayList<>()).add(row);
        }
        List<ProcessRow> tree = new ArrayList<>();
        Map<Long, Boolean> placed = new HashMap<>();
        addChildren(0, 0, children, placed, tree);
        // A recording may claim that two processes are each other's parents: none may be lost.
        for (ProcessRow row : sorted) {
            if (!placed.containsKey(row.pid())) {
                tree.add(row);
            }
        }
        return tree;
    }

    private static void addChildren(
            long parent,
            int depth,
            Map<Long, List<ProcessRow>> children,
            Map<Long, Boolean> placed,
            List<ProcessRow> tree) {
        for (ProcessRow row : children.getOrDefault(parent, List.of())) {
            tree.add(row.withDepth(depth));
            if (placed.putIfAbsent(row.pid(), true) == null && depth < MOST_DEPTH) {
                addChildren(row.pid(), depth + 1, children, placed, tree);
            }
        }
    }

    private ProcessRow withDepth(int levels) {
        return new ProcessRow(device, place, pid, parent, user, command, memory, load, hostMemory, age, levels);
    }

    private boolean matches(String filter) {
        String lower = filter.toLowerCase(Locale.ROOT);
        return lower.isEmpty()
                || String.valueOf(pid).contains(lower)
                || device.text().toLowerCase(Locale.ROOT).contains(lower)
                || (user != null && user.toLowerCase(Locale.ROOT).contains(lower))
                || command.toLowerCase(Locale.ROOT).contains(lower);
    }
}
