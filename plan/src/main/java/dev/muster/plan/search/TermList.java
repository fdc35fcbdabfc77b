// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.time.StepLedger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Records every term of a step. Confined to one thread.
public final class TermList implements StepLedger {
    private final List<StepTerm> terms = new ArrayList<>();

    private TermList() {}

    /// Returns an empty list.
    public static TermList create() {
        return new TermList();
    }

    @Override
    public void add(
            StepTerm.StepPart part,
            String what,
            double bytes,
            double bytesPerSecond,
            double operations,
            double operationsPerSecond,
            double fixed,
            double seconds) {
        if (seconds > 0) {
            terms.add(new StepTerm(part, what, bytes, bytesPerSecond, operations, operationsPerSecond, fixed, seconds));
        }
    }

    @Override
    public void stretch(double factor) {
        terms.replaceAll(term -> term.times(factor));
    }

    /// Returns all terms, the longest first.
    public List<StepTerm> largestFirst() {
        List<StepTerm> sorted = new ArrayList<>(terms);
        sorted.sort(Comparator.comparingDouble(StepTerm::seconds).reversed());
        return sorted;
    }
}
