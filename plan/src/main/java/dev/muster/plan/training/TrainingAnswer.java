package dev.muster.plan.training;

import java.util.List;

/// What a search found.
///
/// @since 0.1
public sealed interface TrainingAnswer {
    /// A plan that fits.
    ///
    /// @param best the plan
    /// @param considered the best of each way to share the model, the best first
    /// @param tried how many runs were looked at or ruled out by a bound
    record Feasible(TrainingPlan best, List<TrainingPlan> considered, long tried) implements TrainingAnswer {
        /// Copies the list.
        public Feasible {
            considered = List.copyOf(considered);
        }
    }

    /// Nothing fits.
    ///
    /// @param smallest the plan that needs the least memory on each device
    /// @param nearest what would fit, for people, a sentence each
    record Infeasible(TrainingPlan smallest, List<String> nearest) implements TrainingAnswer {
        /// Copies the list.
        public Infeasible {
            nearest = List.copyOf(nearest);
        }
    }
}
