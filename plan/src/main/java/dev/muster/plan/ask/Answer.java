// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.core.QuantizationLevel;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.catalogue.OfferChoice;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.rules.MemoryEstimate;
import dev.muster.plan.rules.QuantizationRule;
import dev.muster.plan.rules.ShardingPlan;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.TaskPlan;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import java.time.LocalDate;
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

    /// The best way to run a model that does not chat.
    ///
    /// @param question the question
    /// @param answer the plans
    /// @param launch the files that start the best; empty where none was asked for, or nothing fits
    record Performed(Question.Perform question, PlanAnswer<TaskPlan> answer, Optional<LaunchAnswer> launch)
            implements Answer {
        @Override
        public boolean isFeasible() {
            return answer.isFeasible();
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

    /// The cheapest machines that serve a model as a plan does; of a mere size, those that hold it.
    ///
    /// @param question the question
    /// @param choices the machines that hold a mere size, the cheapest first
    /// @param plans the plans with their machines as rentals, the cheapest first, and their rates under the load if
    /// there is one; empty for a mere size
    /// @param stale offers whose prices are too old to count
    /// @param notWanted offers of other providers, or without a price for the way of renting
    /// @param tooSmall offers whose machines cannot hold the weights
    /// @param noPlan offers on whose machines no plan fits or keeps the targets
    /// @param dearer offers that cost more than those that are listed
    /// @param priced the number of machines of the price list
    /// @param today the current day; empty where the planner does not know it
    record Priced(
            Question.Cost question,
            List<OfferChoice> choices,
            List<ServingPlan> plans,
            int stale,
            int notWanted,
            int tooSmall,
            int noPlan,
            int dearer,
            int priced,
            Optional<LocalDate> today)
            implements Answer {
        private static final int MOST_SHOWN = 10;

        /// Copies the list.
        public Priced {
            choices = List.copyOf(choices);
            plans = List.copyOf(plans);
        }

        /// Returns a copy for a price list with more machines, whose further prices are too old to count.
        Priced withPriced(int all) {
            return new Priced(question, choices, plans, all - priced, notWanted, tooSmall, noPlan, dearer, all, today);
        }

        /// Returns the machines to show: the cheapest, or all if that was asked for.
        public List<OfferChoice> shown() {
            return question.values().has(Parameters.ALL) || choices.size() <= MOST_SHOWN
                    ? choices
                    : choices.subList(0, MOST_SHOWN);
        }

        @Override
        public boolean isFeasible() {
            return !choices.isEmpty() || !plans.isEmpty();
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

    /// The devices that a model is split over, by ai-hwaccel's rules.
    ///
    /// @param question the question
    /// @param level the bits of a weight
    /// @param isSuggested whether the rules chose the level
    /// @param plan the plan
    /// @param isFeasible whether the rules say that it fits
    record Sharded(
            Question.Rules question,
            QuantizationLevel level,
            boolean isSuggested,
            ShardingPlan plan,
            boolean isFeasible)
            implements Answer {}

    /// The bits of a weight, by ai-hwaccel's rules.
    ///
    /// @param question the question
    /// @param rule the row of the table that applies
    /// @param steps all rows
    record Quantized(Question.Rules question, QuantizationRule rule, List<QuantizationRule.Step> steps)
            implements Answer {
        /// Copies the list.
        public Quantized {
            steps = List.copyOf(steps);
        }

        @Override
        public boolean isFeasible() {
            return steps.stream().anyMatch(step -> step.rule() == rule && step.holds());
        }
    }

    /// The memory of a training, by ai-hwaccel's rules.
    ///
    /// @param question the question
    /// @param method the training method
    /// @param target the kind of device
    /// @param estimate the memory
    record Estimated(
            Question.Rules question, TrainingMethod method, MemoryEstimate.Target target, MemoryEstimate estimate)
            implements Answer {
        @Override
        public boolean isFeasible() {
            return true;
        }
    }

    /// The models that run on the devices.
    ///
    /// @param question the question
    /// @param models those that run
    /// @param fits how they run, in the same order
    /// @param notes omissions and assumptions
    record Recommended(Question.Recommend question, List<ModelEntry> models, List<FormatFit> fits, List<PlanNote> notes)
            implements Answer {
        /// Copies the lists.
        public Recommended {
            models = List.copyOf(models);
            fits = List.copyOf(fits);
            notes = List.copyOf(notes);
        }

        @Override
        public boolean isFeasible() {
            return !models.isEmpty();
        }
    }
}
