// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import dev.muster.fleet.HostState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The meaning of Slurm's node states: a word, flags behind `+`, and a mark at the end that stands for a flag.
final class NodeStates {
    private static final Map<Character, String> MARKS = Map.of(
            '*', "NOT_RESPONDING",
            '~', "POWERED_DOWN",
            '#', "POWERING_UP",
            '!', "POWER_DOWN",
            '%', "POWERING_DOWN",
            '$', "MAINTENANCE",
            '@', "REBOOT_REQUESTED",
            '^', "REBOOT_ISSUED",
            '-', "PLANNED");
    private static final Set<String> DOWN = Set.of(
            "DOWN",
            "ERROR",
            "FUTURE",
            "NOT_RESPONDING",
            "NO_RESPOND",
            "POWERED_DOWN",
            "POWERING_DOWN",
            "POWER_DOWN",
            "FAIL",
            "INVAL",
            "INVALID_REG");
    private static final Set<String> DRAINING =
            Set.of("DRAIN", "DRAINED", "DRAINING", "FAILING", "MAINT", "MAINTENANCE", "REBOOT_ISSUED", "REBOOT^");
    private static final Set<String> READY =
            Set.of("IDLE", "MIXED", "MIX", "ALLOCATED", "ALLOC", "COMPLETING", "COMP", "PLANNED", "RESERVED", "RESV");
    /// A scheduler that has more flags than this says something else.
    private static final int MAX_FLAGS = 32;

    private NodeStates() {}

    /// The words of a text such as `IDLE+DRAIN` or `down*`, in capitals.
    static List<String> split(String text) {
        List<String> words = new ArrayList<>();
        List<String> marks = new ArrayList<>();
        for (String part : text.strip().toUpperCase(Locale.ROOT).split("\\+", MAX_FLAGS)) {
            String word = part;
            while (word.length() > 1 && MARKS.containsKey(word.charAt(word.length() - 1))) {
                marks.add(MARKS.get(word.charAt(word.length() - 1)));
                word = word.substring(0, word.length() - 1);
            }
            if (!word.isBlank()) {
                words.add(word);
            }
        }
        words.addAll(marks);
        return words;
    }

    /// The meaning of the words together.
    static HostState of(List<String> words, String reason) {
        HostState.HostStateKind kind = HostState.HostStateKind.UNKNOWN;
        if (words.stream().anyMatch(DOWN::contains)) {
            kind = HostState.HostStateKind.DOWN;
        } else if (words.stream().anyMatch(DRAINING::contains)) {
            kind = HostState.HostStateKind.DRAINING;
        } else if (words.stream().anyMatch(READY::contains)) {
            kind = HostState.HostStateKind.READY;
        }
        return new HostState(kind, String.join("+", words), reason);
    }
}
