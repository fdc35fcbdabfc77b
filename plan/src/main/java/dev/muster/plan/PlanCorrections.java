// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.training.TrainingPlan;
import java.util.Optional;

/// Corrections of predictions by measurements. The search for the best plan does not see them: a run of one layout
/// says too little about another to choose between the two by it. Implementations are safe to share between threads.
///
/// @since 0.2
public interface PlanCorrections {
    /// No corrections.
    PlanCorrections NONE = new PlanCorrections() {
        @Override
        public ServingPlan correct(ServingPlan plan) {
            return plan;
        }

        @Override
        public TrainingPlan correct(TrainingPlan plan) {
            return plan;
        }

        @Override
        public Optional<PlanNote> findNote(ServingPlan plan) {
            return Optional.empty();
        }

        @Override
        public Optional<PlanNote> findNote(TrainingPlan plan) {
            return Optional.empty();
        }
    };

    /// Returns the plan with corrected predictions.
    ServingPlan correct(ServingPlan plan);

    /// Returns the plan with a corrected speed.
    TrainingPlan correct(TrainingPlan plan);

    /// Returns the note that names the runs that correct a plan, and the factors.
    Optional<PlanNote> findNote(ServingPlan plan);

    /// Returns the note that names the runs that correct a plan, and the factor.
    Optional<PlanNote> findNote(TrainingPlan plan);
}
