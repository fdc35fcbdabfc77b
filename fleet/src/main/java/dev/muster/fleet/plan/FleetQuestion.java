// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.plan;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.fleet.Fleet;
import dev.muster.model.ModelSummary;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionException;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.launch.Launcher;
import dev.muster.plan.serving.ServingPlan;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// A question about models on the free hosts of a fleet, with every default filled in: the hosts for one model, or the
/// number of replicas of several that fit beside each other. Immutable.
///
/// ```java
/// FleetQuestion.of(List.of(model), ParameterValues.NONE).ask(fleet, Planner::of);
/// ```
///
/// @since 0.3
public final class FleetQuestion {
    private final ParameterValues values;
    private final Admission admission;
    private final List<Question.Serve> questions;

    private FleetQuestion(ParameterValues values, Admission admission, List<Question.Serve> questions) {
        this.values = values;
        this.admission = admission;
        this.questions = questions;
    }

    /// Resolves a question.
    ///
    /// @param models one model, or several that share the fleet
    /// @throws QuestionException if values exclude each other
    public static FleetQuestion of(List<ModelSummary> models, ParameterValues values) {
        if (models.size() > 1) {
            values.refuse(List.of(Parameters.EMIT), "several models are only counted, not placed");
        }
        Admission admission = new Admission(
                values.find(Parameters.PARTITION).orElse(""),
                values.find(Parameters.RESERVATION).orElse(""),
                Set.copyOf(values.find(Parameters.TOLERATE).orElse(List.of())));
        return new FleetQuestion(
                values,
                admission,
                models.stream().map(model -> Question.serve(model, values)).toList());
    }

    /// Returns the question about the first model.
    public Question.Serve serving() {
        return questions.getFirst();
    }

    /// Returns the answer.
    ///
    /// @param planners makes the planner of a host
    public FleetReply ask(Fleet fleet, Function<AcceleratorRegistry, Planner> planners) {
        IdentityHashMap<AcceleratorRegistry, Planner> made = new IdentityHashMap<>();
        FleetPlanner planner =
                FleetPlanner.of(fleet, admission).withPlanners(registry -> made.computeIfAbsent(registry, planners));
        return questions.size() > 1 ? counted(planner) : placed(planner);
    }

    private FleetReply counted(FleetPlanner planner) {
        return new FleetReply.Counted(planner.capacity(
                questions.stream().map(Question.Serve::request).toList(),
                serving().choices()));
    }

    private FleetReply placed(FleetPlanner planner) {
        Question.Serve question = serving();
        int hosts = values.find(Parameters.FLEET_HOSTS).orElse(0);
        FleetAnswer<ServingPlan> answer = question.fillsMemory()
                ? planner.serveAsManyAsFit(question.request(), question.choices(), hosts)
                : planner.serve(question.request(), question.choices(), hosts);
        return new FleetReply.Placed(this, answer, launch(answer));
    }

    private Optional<LaunchAnswer> launch(FleetAnswer<ServingPlan> answer) {
        return answer.answer() instanceof PlanAnswer.Feasible<ServingPlan> found
                ? serving().target().map(target -> emit(found.best(), target, answer))
                : Optional.empty();
    }

    private LaunchAnswer emit(ServingPlan plan, LaunchTarget target, FleetAnswer<ServingPlan> answer) {
        try {
            return Launcher.emit(plan, target, answer.site(admission));
        } catch (IllegalArgumentException e) {
            throw QuestionException.of("{}: {}", Parameters.EMIT, String.valueOf(e.getMessage()));
        }
    }

    /// The answer to a question about a fleet. Immutable.
    ///
    /// @since 0.3
    public sealed interface FleetReply {
        /// Reports whether there is room for the models.
        boolean isFeasible();

        /// The hosts for one model.
        ///
        /// @param question the question
        /// @param answer the plan and its hosts
        /// @param launch the files that start the plan; empty where none was asked for, or nothing fits
        record Placed(FleetQuestion question, FleetAnswer<ServingPlan> answer, Optional<LaunchAnswer> launch)
                implements FleetReply {
            @Override
            public boolean isFeasible() {
                return answer.isFeasible();
            }
        }

        /// The replicas of several models that fit beside each other.
        ///
        /// @param capacity the number
        record Counted(Capacity capacity) implements FleetReply {
            @Override
            public boolean isFeasible() {
                return capacity.sets() > 0;
            }
        }
    }
}
