// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.fleet;

import dev.muster.cli.ask.EmitOption;
import dev.muster.cli.ask.ModelArgument;
import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.ask.QuestionOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.Numbers;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Report;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.plan.Admission;
import dev.muster.fleet.plan.Capacity;
import dev.muster.fleet.plan.FleetAnswer;
import dev.muster.fleet.plan.FleetPlanner;
import dev.muster.model.ModelSummary;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.launch.Launcher;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.report.plan.CapacityText;
import dev.muster.report.plan.FleetPlanText;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// `muster fleet plan`: the hosts of a fleet that a model is served on best, or how many replicas of several models
/// fit.
public final class FleetPlanCommand implements Command {
    static final OptionSpec PARTITION = OptionSpec.value("partition", "NAME", "only hosts of this Slurm partition");
    static final OptionSpec RESERVATION = OptionSpec.value(
            "reservation", "NAME", "only hosts of this Slurm reservation (default: hosts that are not reserved)");
    static final OptionSpec TOLERATE =
            OptionSpec.value("tolerate", "KEYS", "Kubernetes taints to tolerate, separated by commas; '*' for all");
    static final OptionSpec HOSTS =
            OptionSpec.value("hosts", "COUNT", "number of hosts (default: the fewest that fit)");
    /// The options that `plan --fleet` has as well.
    public static final List<OptionSpec> ADMISSION = List.of(PARTITION, RESERVATION, TOLERATE);

    @Override
    public CommandTitle title() {
        return CommandTitle.of("fleet plan", "find hosts for a model, or capacity for several");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(Integer.MAX_VALUE, "MODEL ...")
                .with(FleetOptions.SOURCES, FleetOptions.TIMEOUT)
                .with(FleetSourceOptions.ALL)
                .with(ADMISSION)
                .with(HOSTS)
                .with(QuestionOptions.of(QuestionKind.FLEET_PLAN))
                .with(EmitOption.WRITE, Catalogues.PRICES, Catalogues.MODELS, Catalogues.DEVICES)
                .exiting("1  no free host holds the model, or not even one replica of each fits")
                .example("muster fleet plan llama-3.1-70b", "free nodes of the Slurm cluster, with the predicted speed")
                .example("muster fleet plan deepseek-v3 --emit slurm > job.sh", "a job script for these nodes")
                .example(
                        "muster fleet plan llama-3.1-8b qwen3-32b llama-3.1-70b",
                        "the number of replicas of each model that fit together");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (arguments.operands().isEmpty()) {
            throw new UsageException("fleet plan needs a model, such as llama-3.1-8b, or several");
        }
        List<ModelSummary> models = new ArrayList<>();
        for (String text : arguments.operands()) {
            models.add(ModelArgument.resolve(text, Catalogues.models(arguments)));
        }
        return run(arguments, session, models, FleetOptions.read(arguments, session));
    }

    /// Answers for models on a fleet.
    public static int run(Arguments arguments, Session session, List<ModelSummary> models, Fleet fleet) {
        Admission admission = new Admission(
                arguments.find(PARTITION).orElse(""),
                arguments.find(RESERVATION).orElse(""),
                Set.of(arguments.find(TOLERATE).map(text -> text.split(",", -1)).orElse(new String[0])));
        IdentityHashMap<AcceleratorRegistry, Planner> planners = new IdentityHashMap<>();
        FleetPlanner planner = FleetPlanner.of(fleet, admission)
                .withPlanners(registry -> planners.computeIfAbsent(
                        registry, one -> PlannerOptions.planner(arguments, session, one, false)));
        boolean emits = EmitOption.isAsked(arguments);
        ParameterValues values = QuestionOptions.values(QuestionKind.FLEET_PLAN, arguments);
        List<Question.Serve> questions = QuestionOptions.asked(() ->
                models.stream().map(model -> Question.serve(model, values)).toList());
        Question.Serve question = questions.getFirst();
        if (questions.size() > 1) {
            arguments.refuse(
                    List.of(QuestionOptions.of(Parameters.EMIT)), "several models are only counted, not placed");
            Capacity capacity = planner.capacity(
                    questions.stream().map(Question.Serve::request).toList(), question.choices());
            Report.print(arguments, session, new CapacityText(capacity));
            return capacity.sets() > 0 ? ExitCode.OK : ExitCode.NO;
        }
        ServingRequest request = question.request();
        int hosts = Numbers.whole(arguments, HOSTS, 0, 1);
        FleetAnswer<ServingPlan> answer = question.fillsMemory()
                ? planner.serveAsManyAsFit(request, question.choices(), hosts)
                : planner.serve(request, question.choices(), hosts);
        PlannerOptions.say(answer.answer().notes(), session);
        if (answer.considered().isEmpty() && answer.answer() instanceof PlanAnswer.Unanswered<ServingPlan> unknown) {
            throw PlannerOptions.cannotPlan(models.getFirst().name(), unknown);
        }
        if (emits) {
            LaunchTarget target = question.target().orElseThrow();
            return switch (answer.answer()) {
                case PlanAnswer.Feasible<ServingPlan> found ->
                    EmitOption.print(
                            arguments,
                            session,
                            target,
                            Optional.of(emit(found.best(), target, answer.site(admission))));
                case PlanAnswer.Infeasible<ServingPlan> _ -> throw EmitOption.nothingToStart();
                case PlanAnswer.Unanswered<ServingPlan> unknown ->
                    throw PlannerOptions.cannotPlan(models.getFirst().name(), unknown);
            };
        }
        Report.print(arguments, session, new FleetPlanText(request, answer));
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }

    private static LaunchAnswer emit(ServingPlan plan, LaunchTarget target, Launcher.Site site) {
        try {
            return Launcher.emit(plan, target, site);
        } catch (IllegalArgumentException e) {
            throw new UsageException("cannot emit " + target.label(), e);
        }
    }
}
