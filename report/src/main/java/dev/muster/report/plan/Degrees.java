// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import java.util.ArrayList;
import java.util.List;

/// The parallelism of a model: `TP 4 x DP 2`, with an explanation for newcomers. Confined to one thread.
final class Degrees {
    private final List<String> names = new ArrayList<>();
    private final List<String> meanings = new ArrayList<>();

    /// Adds a degree above 1.
    ///
    /// @param meaning explanation with `%s` for the degree; empty if that of another degree covers it
    Degrees add(String name, double degree, String meaning) {
        return add(name, degree, meaning, meanings.size());
    }

    /// Adds a degree above 1 whose explanation comes first.
    Degrees addOuter(String name, double degree, String meaning) {
        return add(name, degree, meaning, 0);
    }

    private Degrees add(String name, double degree, String meaning, int place) {
        if (degree > 1) {
            String count = String.valueOf(Math.round(degree));
            names.add(name + " " + count);
            if (!meaning.isEmpty()) {
                meanings.add(place, meaning.replace("%s", count));
            }
        }
        return this;
    }

    String names() {
        return names.isEmpty() ? "TP 1" : String.join(" x ", names);
    }

    @Override
    public String toString() {
        return names.isEmpty() ? "one replica on one device" : names() + " (" + String.join(", ", meanings) + ")";
    }
}
