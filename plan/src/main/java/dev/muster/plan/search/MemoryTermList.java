// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.cost.MemoryTerm;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Collects the memory terms of a device in training. Confined to one thread.
public final class MemoryTermList {
    private final List<MemoryTerm> terms = new ArrayList<>();

    private MemoryTermList() {}

    public static MemoryTermList create() {
        return new MemoryTermList();
    }

    /// Adds a term, unless it is zero.
    public MemoryTermList add(MemoryTerm.MemoryPart part, String what, String how, double bytes) {
        if (bytes > 0) {
            terms.add(new MemoryTerm(part, what, how, bytes));
        }
        return this;
    }

    public List<MemoryTerm> largestFirst() {
        terms.sort(Comparator.comparingDouble(MemoryTerm::bytes).reversed());
        return List.copyOf(terms);
    }
}
