package dev.muster.plan.catalogue;

import dev.muster.core.text.NearestMatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;

/// Which device a typed name means: its short names first, then what drivers call it, then the end of its id
/// with a number in it (`3080`), then any part of it (`orin-nano`). Dashes, case and words such as "NVIDIA" do not
/// matter.
final class DeviceNames {
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

    /// The devices that a name may mean: one where it is clear, several where it is not.
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

    /// What is wrong with a name that means no device, or several, and what to write instead.
    static String complaint(String quoted, String text, Collection<DeviceEntry> entries) {
        List<String> meant =
                listMeant(text, entries).stream().map(DeviceEntry::id).toList();
        return meant.isEmpty()
                ? "there is no device " + quoted + hint(text.toLowerCase(Locale.ROOT), entries)
                : quoted + " may be " + String.join(" or ", meant) + "; write one of them";
    }

    /// Names hold what somebody typed more often than it is misspelt.
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

    /// Whether some neighbouring words of an id are the name.
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

    /// The words that matter, written as one.
    private static String squeezed(String name) {
        return String.join("", DeviceName.words(name));
    }
}
