package dev.muster.plan.search;

import java.util.List;

/// What a search found.
///
/// @since 0.1
public sealed interface ServingAnswer {
    /// Every layout that was tried, the best first; then those that break a limit, and last those that
    /// do not fit.
    List<ServingPlan> considered();

    /// Plans that nothing beats in tokens per second, time per token, devices and price; the fastest
    /// first.
    default List<ServingPlan> front() {
        return ParetoFront.of(considered());
    }

    /// A plan that fits and keeps all limits.
    ///
    /// @param best the plan
    /// @param considered every layout that was tried
    record Feasible(ServingPlan best, List<ServingPlan> considered) implements ServingAnswer {
        /// Copies the list.
        public Feasible {
            considered = List.copyOf(considered);
        }
    }

    /// Nothing fits, or all that fit break a limit. The reason is that of the first plan: its memory, or
    /// its breaches.
    ///
    /// @param considered every layout that was tried, the nearest first
    /// @param nearest what would do, for people, a sentence each
    record Infeasible(List<ServingPlan> considered, List<String> nearest) implements ServingAnswer {
        /// Copies both.
        public Infeasible {
            considered = List.copyOf(considered);
            nearest = List.copyOf(nearest);
        }
    }
}
