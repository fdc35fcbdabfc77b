// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Several devices named by text: items with commas between, each a position (`0`), a range of positions (`2-3`) or
/// a [DeviceSelector]. Immutable.
///
/// @since 0.1
public final class DeviceSelection {
    private static final Pattern POSITIONS = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");

    private final List<Item> items;

    private DeviceSelection(List<Item> items) {
        this.items = List.copyOf(items);
    }

    /// Reads a selection.
    ///
    /// @throws IllegalArgumentException if an item is blank or a range runs backwards
    public static DeviceSelection parse(String text) {
        List<Item> items = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            items.add(item(part.strip(), text));
        }
        return new DeviceSelection(items);
    }

    private static Item item(String part, String whole) {
        Matcher positions = POSITIONS.matcher(part);
        if (positions.matches()) {
            int first = Integer.parseInt(positions.group(1));
            int last = positions.group(2) == null ? first : Integer.parseInt(positions.group(2));
            if (last < first) {
                throw new IllegalArgumentException(
                        "the range '" + part + "' runs backwards; write " + last + "-" + first);
            }
            return new Item(part, (position, _) -> first <= position && position <= last);
        }
        return DeviceSelector.find(part)
                .map(selector -> new Item(part, (_, profile) -> selector.matches(profile)))
                .orElseThrow(() -> new IllegalArgumentException("'" + whole + "' has an empty item between commas"));
    }

    /// The devices meant, in the order of the registry.
    public List<AcceleratorProfile> select(List<AcceleratorProfile> profiles) {
        List<AcceleratorProfile> found = new ArrayList<>();
        for (int position = 0; position < profiles.size(); position++) {
            AcceleratorProfile profile = profiles.get(position);
            int here = position;
            if (items.stream().anyMatch(item -> item.meaning().covers(here, profile))) {
                found.add(profile);
            }
        }
        return found;
    }

    /// The items that mean no device, as written.
    public List<String> findUnmatched(List<AcceleratorProfile> profiles) {
        return items.stream()
                .filter(item -> noneMeant(item, profiles))
                .map(Item::text)
                .toList();
    }

    private static boolean noneMeant(Item item, List<AcceleratorProfile> profiles) {
        for (int position = 0; position < profiles.size(); position++) {
            if (item.meaning().covers(position, profiles.get(position))) {
                return false;
            }
        }
        return true;
    }

    private record Item(String text, Meaning meaning) {}

    private interface Meaning {
        boolean covers(int position, AcceleratorProfile profile);
    }
}
