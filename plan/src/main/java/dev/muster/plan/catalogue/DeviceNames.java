// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.text.NearestMatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiPredicate;

/// The device of a typed name: its short names first, then names of drivers, then the end of its id with a number in
/// it (`3080`), then any part of it (`orin-nano`). Dashes, case, order and words such as "NVIDIA" do not matter.
final class DeviceNames {
    /// Words that some sources add and others leave out.
    private static final Set<String> NOISE = Set.of(
            "nvidia",
            "amd",
            "intel",
            "apple",
            "google",
            "aws",
            "corporation",
            "graphics",
            "gpu",
            "tesla",
            "geforce",
            "instinct",
            "radeon",
            "edition",
            "generation");

    private static final int MAX_NAME = 200;
    private static final int LEAST_PART = 3;
    private static final int MOST_SUGGESTED = 3;
    private static final List<BiPredicate<DeviceEntry, String>> STEPS = List.of(
            (entry, name) -> squeezed(entry.id()).equals(name)
                    || entry.signature().shortNames().stream()
                            .anyMatch(shorter -> squeezed(shorter).equals(name)),
            (entry, name) -> squeezed(entry.name()).equals(name)
                    || entry.signature().aliases().stream()
                            .anyMatch(alias -> squeezed(alias).equals(name)),
            (entry, name) -> name.chars().anyMatch(Character::isDigit) && isPart(entry.id(), name, true),
            (entry, name) -> isPart(entry.id(), name, false));

    private DeviceNames() {}

    /// Returns the devices that a name may mean: one where it is clear, several where it is not.
    static List<DeviceEntry> listMeant(String text, Collection<DeviceEntry> entries) {
        String name = squeezed(text);
        for (BiPredicate<DeviceEntry, String> step : name.isEmpty() ? STEPS.subList(0, 0) : STEPS) {
            List<DeviceEntry> meant =
                    entries.stream().filter(entry -> step.test(entry, name)).toList();
            if (!meant.isEmpty()) {
                return meant;
            }
        }
        return List.of();
    }

    /// Returns the error of a name of no device or several, with a suggestion.
    static String complaint(String quoted, String text, Collection<DeviceEntry> entries) {
        List<String> meant =
                listMeant(text, entries).stream().map(DeviceEntry::id).toList();
        return meant.isEmpty()
                ? "unknown device " + quoted + hint(text.toLowerCase(Locale.ROOT), entries)
                : quoted + " may be " + String.join(" or ", meant) + "; write one of them";
    }

    /// Returns a suggestion; names contain the typed text more often than it is misspelt.
    private static String hint(String text, Collection<DeviceEntry> entries) {
        List<String> ids = entries.stream().map(DeviceEntry::id).toList();
        List<String> holding = ids.stream()
                .filter(id -> text.length() >= LEAST_PART && holdsAll(id, text))
                .toList();
        List<String> alike = !holding.isEmpty()
                ? holding
                : NearestMatch.find(text, ids).map(List::of).orElseGet(() -> listByBeginning(text, ids));
        return alike.isEmpty()
                ? "; write a name of the device catalogue, such as h100-sxm, a100-sxm4-80 or mi300x"
                : "; did you mean "
                        + String.join(
                                " or ", alike.stream().limit(MOST_SUGGESTED).toList()) + "?";
    }

    private static boolean holdsAll(String id, String text) {
        for (String word : text.split("-")) {
            if (!id.contains(word)) {
                return false;
            }
        }
        return true;
    }

    private static List<String> listByBeginning(String text, List<String> ids) {
        for (int length = text.length(); length >= LEAST_PART; length--) {
            String beginning = text.substring(0, length);
            List<String> alike =
                    ids.stream().filter(id -> id.startsWith(beginning)).toList();
            if (!alike.isEmpty()) {
                return alike;
            }
        }
        return List.of();
    }

    /// Reports whether some neighbouring words of an id form the name.
    private static boolean isPart(String id, String name, boolean atEnd) {
        List<String> words = List.of(id.split("-"));
        List<String> runs = new ArrayList<>();
        for (int from = 0; from < words.size(); from++) {
            for (int to = atEnd ? words.size() : from + 1; to <= words.size(); to++) {
                runs.add(String.join("", words.subList(from, to)));
            }
        }
        return name.length() >= LEAST_PART && runs.contains(name);
    }

    /// Returns the words that matter, written as one.
    private static String squeezed(String name) {
        return String.join("", words(name));
    }

    /// Returns the words that matter, sorted, with a blank between; the empty text if none matters.
    static String key(String name) {
        return String.join(" ", words(name).stream().sorted().toList());
    }

    /// Returns the words that matter, in their order.
    static List<String> words(String name) {
        String lower = withoutParentheses(name).toLowerCase(Locale.ROOT);
        String[] words = lower.substring(0, Math.min(MAX_NAME, lower.length())).split("[^a-z0-9]+");
        return Arrays.stream(words)
                .filter(word -> !word.isEmpty() && !NOISE.contains(word))
                .toList();
    }

    /// Removes parentheses, which hold trade marks, code names and the share of working units.
    private static String withoutParentheses(String name) {
        StringBuilder kept = new StringBuilder();
        int depth = 0;
        for (int i = 0; i < name.length(); i++) {
            char character = name.charAt(i);
            if (character == '(') {
                depth++;
                kept.append(' ');
            } else if (character == ')') {
                depth = Math.max(0, depth - 1);
            } else if (depth == 0) {
                kept.append(character);
            }
        }
        return kept.toString();
    }
}
