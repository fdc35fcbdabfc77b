// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Devices of the catalogue by name and number, written `h100-sxm:8,l4:2`. Immutable.
///
/// @since 0.1
public final class DeviceList {
    /// The most devices that one text may name.
    public static final int MAX_DEVICES = 4096;

    private static final String PROCESSOR = "cpu";

    private final List<DeviceCount> items;

    private DeviceList(List<DeviceCount> items) {
        this.items = List.copyOf(items);
    }

    /// Parses items with commas between, each a name as [DeviceCatalogue#find(String)] knows it, with `:COUNT` behind
    /// it if there is more than one, and `:SIZE` before that if processor and device share one memory.
    ///
    /// @throws DeviceTextException if the text is not such a list
    public static DeviceList parse(String text, DeviceCatalogue catalogue) {
        TextCursor cursor = new TextCursor(text);
        List<DeviceCount> items = new ArrayList<>();
        do {
            cursor.skipBlanks();
            TextCursor.Word word = cursor.word();
            items.add(read(word, cursor, catalogue));
            if (size(items) > MAX_DEVICES) {
                throw word.wrong("these are more than " + MAX_DEVICES + " devices; ask for fewer");
            }
            cursor.skipBlanks();
        } while (cursor.take(','));
        if (!cursor.isAtEnd()) {
            throw cursor.wrong("a comma should stand here; write devices as in h100-sxm:8,l4:2");
        }
        return new DeviceList(items);
    }

    private static DeviceCount read(TextCursor.Word word, TextCursor cursor, DeviceCatalogue catalogue) {
        if (word.text().isEmpty()) {
            throw cursor.wrong("a device should stand here; write devices as in h100-sxm:8,l4:2");
        }
        String name = word.text().toLowerCase(Locale.ROOT);
        if (name.equals(PROCESSOR) || name.startsWith(PROCESSOR + ":")) {
            throw word.wrong("the processor stays as it is; only a made-up host has another");
        }
        return DeviceCount.read(word, catalogue);
    }

    private static int size(List<DeviceCount> items) {
        int size = 0;
        for (DeviceCount item : items) {
            size += item.count();
        }
        return size;
    }

    /// Returns the devices, each with the lowest number of its kind that no other has. They are by themselves: no
    /// fabric joins them.
    public List<AcceleratorProfile> toProfiles(AcceleratorRegistry others) {
        DeviceCount.Numbers numbers = new DeviceCount.Numbers(others.profiles());
        List<AcceleratorProfile> profiles = new ArrayList<>();
        for (DeviceCount item : items) {
            for (int i = 0; i < item.count(); i++) {
                profiles.add(numbers.number(item).toBuilder()
                        .with(DeviceFact.FABRIC_BANDWIDTH, Reading.notProbed())
                        .build());
            }
        }
        return profiles;
    }

    /// Returns the devices, kind by kind; not empty.
    List<DeviceCount> items() {
        return items;
    }

    /// Returns the display text, such as `8 x h100-sxm, 2 x l4`.
    public String display() {
        return String.join(", ", items.stream().map(DeviceCount::display).toList());
    }
}
