// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.catalogue.OfferRanking;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.training.TrainingPlan;
import java.util.List;
import java.util.Optional;

/// The answer to a question. Immutable.
///
/// @since 0.2
public sealed interface Answer {
    /// Returns the question.
    Question question();

    /// Reports whether there is something that does what was asked.
    boolean isFeasible();

    /// The best way to serve a model.
    ///
    /// @param question the question
    /// @param outcome the plans
    /// @param launch the files that start the best plan; empty where none was asked for, or nothing fits
    record Served(Question.Serve question, ServingOutcome outcome, Optional<LaunchAnswer> launch) implements Answer {
        @Override
        public boolean isFeasible() {
            return outcome.isFeasible();
        }
    }

    /// The deployment that keeps targets under a load.
    ///
    /// @param question the question
    /// @param answer the deployments
    /// @param launch the files that start the best; empty where none was asked for, or no target is kept
    record Deployed(Question.Deploy question, PlanAnswer<DeploymentPlan> answer, Optional<LaunchAnswer> launch)
            implements Answer {
        @Override
        public boolean isFeasible() {
            return answer.isFeasible();
        }
    }

    /// Latency and throughput under a load.
    ///
    /// @param question the question
    /// @param answer the simulation
    record Simulated(Question.Simulate question, PlanAnswer<ServingSimulation> answer) implements Answer {
        @Override
        public boolean isFeasible() {
            return answer instanceof PlanAnswer.Feasible<ServingSimulation> found
                    && found.best().keeps(question.request().targets());
        }
    }

    /// The best way to train a model.
    ///
    /// @param question the question
    /// @param answer the plans
    /// @param launch the files that start the best; empty where none was asked for, or nothing fits
    record Trained(Question.Train question, PlanAnswer<TrainingPlan> answer, Optional<LaunchAnswer> launch)
            implements Answer {
        @Override
        public boolean isFeasible() {
            return answer.isFeasible();
        }
    }

    /// The context and the sequences that fit.
    ///
    /// @param question the question
    /// @param answer the contexts and sequences that fit, by weight format
    record Fitted(Question.Fit question, Planner.FitAnswer answer) implements Answer {
        @Override
        public boolean isFeasible() {
            return answer.findRecommended().isPresent();
        }
    }

    /// The cheapest machines that hold a model.
    ///
    /// @param question the question
    /// @param choices the machines, the cheapest first
    record Priced(Question.Cost question, List<OfferRanking.Choice> choices) implements Answer {
        /// Copies the list.
        public Priced {
            choices = List.copyOf(choices);
        }

        @Override
        public boolean isFeasible() {
            return !choices.isEmpty();
        }
    }

    /// A model on two machines.
    ///
    /// @param question the question
    /// @param comparison the answers of both
    record Compared(Question.Compare question, Planner.Comparison comparison) implements Answer {
        @Override
        public boolean isFeasible() {
            return comparison.fitsOnBoth();
        }
    }
}
