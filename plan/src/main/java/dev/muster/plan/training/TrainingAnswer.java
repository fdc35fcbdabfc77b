package dev.muster.plan.training;

import java.util.List;

/// What a search found.
///
/// @since 0.1
public sealed interface TrainingAnswer {
    /// The plan to look at: the best one, or the smallest where nothing fits.
    TrainingPlan first();

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

        @Override
        public TrainingPlan first() {
            return best;
        }
    }

    /// Something fits, and nothing of it keeps the limits.
    ///
    /// @param best the best plan without limits
    /// @param considered the best of each way to share the model without limits, the best first
    /// @param nearest what would keep them, for people, a sentence each
    record Limited(TrainingPlan best, List<TrainingPlan> considered, List<String> nearest) implements TrainingAnswer {
        /// Copies the lists.
        public Limited {
            considered = List.copyOf(considered);
            nearest = List.copyOf(nearest);
        }

        @Override
        public TrainingPlan first() {
            return best;
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

        @Override
        public TrainingPlan first() {
            return smallest;
        }
    }
}
