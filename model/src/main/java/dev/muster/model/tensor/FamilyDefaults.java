// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import dev.muster.model.table.CsvTable;
import java.util.HashMap;
import java.util.Map;

/// Default values of configurations by family, by their own keys: data (`family-defaults.txt`).
public final class FamilyDefaults {
    private static final String RESOURCE = "family-defaults.txt";

    private FamilyDefaults() {}

    /// Returns the defaults of a family; empty if none are known.
    public static Map<String, String> of(String family) {
        Map<String, String> defaults = new HashMap<>();
        String text = Text.ALL;
        int start = family.isEmpty() ? -1 : text.indexOf('\n' + family + ' ');
        if (start < 0) {
            return defaults;
        }
        int end = text.indexOf('\n', start + 1);
        for (String entry : text.substring(start + family.length() + 2, end).split(" ")) {
            int equals = entry.indexOf('=');
            if (equals > 0) {
                defaults.put(entry.substring(0, equals), entry.substring(equals + 1));
            }
        }
        return defaults;
    }

    private static final class Text {
        static final String ALL = CsvTable.resource(FamilyDefaults.class, RESOURCE);
    }
}
