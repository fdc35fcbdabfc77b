// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bytes;
import dev.muster.model.CatalogueException;
import dev.muster.plan.catalogue.TextCursor.Word;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A number of devices of one kind, written `h100-sxm:8`, or `h100-sxm` for one; if processor and device share one
/// memory, its size may stand before the count: `m3-max:64GiB`, `gb10:128GiB:2`. A card that the system shows as
/// several devices counts as these.
///
/// @param entry the device
/// @param memory memory, if the text states it
/// @param count number of devices, from 1 to [#MAX_COUNT]
record DeviceCount(DeviceEntry entry, Reading<Bytes> memory, int count) {
    /// The most devices of one kind that a text may name.
    static final int MAX_COUNT = 1024;

    static DeviceCount read(Word word, DeviceCatalogue catalogue) {
        int colon = word.text().indexOf(':');
        DeviceEntry entry = require(colon < 0 ? word : word.until(colon), catalogue);
        Reading<Bytes> memory = Reading.unknown(UnknownReason.NOT_STATED);
        if (colon < 0) {
            return new DeviceCount(entry, memory, 1);
        }
        Word rest = word.from(colon + 1);
        int second = rest.text().indexOf(':');
        Word first = second < 0 ? rest : rest.until(second);
        if (isSize(first.text())) {
            memory = Reading.known(size(first, entry), Provenance.GIVEN);
        }
        int count = memory.isKnown() && second < 0
                ? 1
                : (memory.isKnown() ? rest.from(second + 1) : rest).count("the count of " + entry.id(), MAX_COUNT);
        return new DeviceCount(entry, memory, count);
    }

    private static DeviceEntry require(Word name, DeviceCatalogue catalogue) {
        DeviceEntry entry = catalogue
                .find(name.text())
                .orElseThrow(() -> name.wrong(DeviceNames.complaint(name.quoted(), name.text(), catalogue.entries())));
        try {
            entry.toProfile(0);
            return entry;
        } catch (CatalogueException e) {
            throw name.wrong(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isSize(String text) {
        return !text.isEmpty()
                && Character.isDigit(text.charAt(0))
                && Character.isLetter(text.charAt(text.length() - 1));
    }

    private static Bytes size(Word word, DeviceEntry entry) {
        if (!entry.deviceClass().sharesMemory()) {
            throw word.wrong("the memory of " + entry.id() + " is "
                    + FixedText.of(entry.memory().gigabytes(), 0)
                    + " GB; a size can be given where processor and device share one memory");
        }
        Bytes size = word.size();
        if (size.isZero() || size.compareTo(entry.memory().total()) > 0) {
            throw word.wrong("the memory of " + entry.id() + " is at most "
                    + FixedText.of(entry.memory().gigabytes(), 0) + " GB, not " + word.quoted());
        }
        return size;
    }

    AcceleratorProfile toProfile(long number) {
        AcceleratorProfile profile = entry.toProfile(number);
        return memory.isKnown()
                ? profile.toBuilder().with(DeviceFact.MEMORY, memory).build()
                : profile;
    }

    /// Returns the display text, such as `8 x h100-sxm`.
    String display() {
        return count + " x " + entry.id()
                + memory.find()
                        .map(size -> " with " + FixedText.of(size.toGib(), 1) + " GiB")
                        .orElse("");
    }

    /// Assigns devices the lowest free numbers of their kind. Confined to one thread.
    static final class Numbers {
        private final Map<String, Set<Long>> taken = new HashMap<>();
        private final Map<String, Long> next = new HashMap<>();

        Numbers(List<AcceleratorProfile> others) {
            for (AcceleratorProfile other : others) {
                taken(other.accelerator()).add(other.accelerator().deviceId());
            }
        }

        /// Returns a device of the catalogue with an unused number. It is not joined to others by a fabric.
        AcceleratorProfile number(DeviceCount item) {
            AcceleratorType type = DeviceKinds.findType(item.entry(), 0).orElseThrow();
            Set<Long> used = taken(type);
            long number = next.getOrDefault(type.text(), 0L);
            while (!used.add(number)) {
                number++;
            }
            next.put(type.text(), number + 1);
            return item.toProfile(number);
        }

        private Set<Long> taken(AcceleratorType type) {
            return taken.computeIfAbsent(type.text(), _ -> new HashSet<>());
        }
    }
}
