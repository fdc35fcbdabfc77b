// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.cost.MemoryTerm;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Collects the memory terms of a device in training. Confined to one thread.
final class MemoryTermList {
    private final List<MemoryTerm> terms = new ArrayList<>();

    private MemoryTermList() {}

    static MemoryTermList create() {
        return new MemoryTermList();
    }

    /// Adds a term, unless it is zero.
    MemoryTermList add(MemoryTerm.Part part, String what, String how, double bytes) {
        if (bytes > 0) {
            terms.add(new MemoryTerm(part, what, how, bytes));
        }
        return this;
    }

    List<MemoryTerm> largestFirst() {
        terms.sort(Comparator.comparingDouble(MemoryTerm::bytes).reversed());
        return List.copyOf(terms);
    }
}
