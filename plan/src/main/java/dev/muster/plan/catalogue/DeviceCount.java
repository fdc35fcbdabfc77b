package dev.muster.plan.catalogue;

import dev.muster.plan.catalogue.TextCursor.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// So many devices of one kind, written `h100-sxm:8`, or `h100-sxm` for one. Where the system shows one card as
/// several devices, these are counted.
///
/// @param entry the device
/// @param count how many, from 1 to [#MAX_COUNT]
/// @since 0.1
public record DeviceCount(DeviceEntry entry, int count) {
    /// The most devices of one kind that a text may name.
    public static final int MAX_COUNT = 1024;

    private static final int LEAST_PREFIX = 3;
    private static final int MOST_SUGGESTED = 3;

    /// Checks the count.
    public DeviceCount {
        if (count < 1 || count > MAX_COUNT) {
            throw new IllegalArgumentException("a count of devices is from 1 to " + MAX_COUNT + ": " + count);
        }
    }

    static DeviceCount read(Word word, DeviceCatalogue catalogue) {
        int colon = word.text().indexOf(':');
        Word name = colon < 0 ? word : new Word(word.text().substring(0, colon), word.position());
        DeviceEntry entry = require(name, catalogue);
        int count = colon < 0 ? 1 : WholeNumber.read(word.from(colon + 1), "the count of " + entry.id(), MAX_COUNT);
        return new DeviceCount(entry, count);
    }

    private static DeviceEntry require(Word name, DeviceCatalogue catalogue) {
        DeviceEntry entry = catalogue
                .find(name.text())
                .orElseThrow(() -> name.wrong("there is no device " + name.quoted() + hint(name.text(), catalogue)));
        try {
            entry.toProfile(0);
            return entry;
        } catch (CatalogueException e) {
            throw name.wrong(String.valueOf(e.getMessage()));
        }
    }

    private static String hint(String word, DeviceCatalogue catalogue) {
        String lower = word.toLowerCase(Locale.ROOT);
        return dev.muster.core.text.NearestMatch.find(lower, catalogue.ids())
                .map(found -> "; did you mean " + found + "?")
                .orElseGet(() -> hintByBeginning(lower, catalogue.ids()));
    }

    /// Names begin alike more often than they are misspelt: `h100` for `h100-sxm`.
    private static String hintByBeginning(String word, List<String> ids) {
        for (int length = word.length(); length >= LEAST_PREFIX; length--) {
            List<String> alike = new ArrayList<>();
            for (String id : ids) {
                if (id.startsWith(word.substring(0, length)) && alike.size() < MOST_SUGGESTED) {
                    alike.add(id);
                }
            }
            if (!alike.isEmpty()) {
                return "; did you mean " + String.join(" or ", alike) + "?";
            }
        }
        return "; write a name of the device catalogue, such as h100-sxm, a100-sxm4-80 or mi300x";
    }

    /// The devices for people, such as `8 x h100-sxm`.
    public String display() {
        return count + " x " + entry.id();
    }
}
