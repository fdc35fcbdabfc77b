package dev.muster.plan.search;

import java.util.List;

/// What a search found.
///
/// @since 0.1
public sealed interface ServingAnswer {
    /// Every layout that was tried, the best first; those that do not fit stand last.
    List<ServingPlan> considered();

    /// A plan that fits.
    ///
    /// @param best the plan
    /// @param considered every layout that was tried
    record Feasible(ServingPlan best, List<ServingPlan> considered) implements ServingAnswer {
        /// Copies the list.
        public Feasible {
            considered = List.copyOf(considered);
        }
    }

    /// Nothing fits.
    ///
    /// @param considered every layout that was tried, the nearest first
    /// @param nearest what would fit, for people, a sentence each
    record Infeasible(List<ServingPlan> considered, List<String> nearest) implements ServingAnswer {
        /// Copies both.
        public Infeasible {
            considered = List.copyOf(considered);
            nearest = List.copyOf(nearest);
        }
    }
}
