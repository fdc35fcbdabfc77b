// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.plan.Admission;
import dev.muster.fleet.plan.Capacity;
import dev.muster.fleet.plan.FleetAnswer;
import dev.muster.fleet.plan.FleetPlanner;
import dev.muster.model.ModelSummary;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.launch.Launcher;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.report.plan.CapacityText;
import dev.muster.report.plan.FleetPlanText;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// `muster fleet plan`: the hosts of a fleet that a model is served on best, or how many replicas of several models
/// fit.
final class FleetPlanCommand implements Command {
    static final OptionSpec PARTITION =
            OptionSpec.value("partition", "NAME", "use hosts of this partition of Slurm alone");
    static final OptionSpec RESERVATION = OptionSpec.value(
            "reservation", "NAME", "use hosts of this reservation of Slurm; else none that is reserved");
    static final OptionSpec TOLERATE = OptionSpec.value(
            "tolerate", "KEYS", "use hosts with these taints of Kubernetes too, with commas between; '*' is all");
    static final OptionSpec HOSTS = OptionSpec.value("hosts", "COUNT", "take so many hosts; else the fewest that do");
    /// The further options of `plan --fleet`.
    static final List<OptionSpec> ADMISSION = List.of(PARTITION, RESERVATION, TOLERATE);

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("fleet plan", "find hosts for a model, or room for several")
                .taking(Integer.MAX_VALUE, "MODEL ...")
                .with(FleetOptions.SOURCES, FleetOptions.TIMEOUT)
                .with(FleetSourceOptions.ALL)
                .with(ADMISSION)
                .with(HOSTS)
                .with(ServingOptions.OPTIONS)
                .with(ServingOptions.FORMAT, Catalogues.MODELS, Catalogues.DEVICES)
                .with(EmitOption.OPTIONS)
                .exiting("1  no free host holds the model, or not one replica of each fits")
                .example("muster fleet plan llama-3.1-70b", "which free nodes of Slurm's cluster, how fast")
                .example("muster fleet plan deepseek-v3 --emit slurm > job.sh", "a job for these nodes")
                .example(
                        "muster fleet plan llama-3.1-8b qwen3-32b llama-3.1-70b",
                        "how many replicas of each fit beside each other");
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
    static int run(Arguments arguments, Session session, List<ModelSummary> models, Fleet fleet) {
        Admission admission = new Admission(
                arguments.find(PARTITION).orElse(""),
                arguments.find(RESERVATION).orElse(""),
                Set.of(arguments.find(TOLERATE).map(text -> text.split(",", -1)).orElse(new String[0])));
        IdentityHashMap<AcceleratorRegistry, Planner> planners = new IdentityHashMap<>();
        FleetPlanner planner = FleetPlanner.of(fleet, admission)
                .withPlanners(registry -> planners.computeIfAbsent(
                        registry, one -> PlannerOptions.planner(arguments, session, one, false)));
        ServingChoices choices = ServingOptions.choices(arguments);
        List<ServingRequest> requests = models.stream()
                .map(model -> ServingOptions.request(arguments, model))
                .toList();
        if (requests.size() > 1) {
            arguments.refuse(EmitOption.OPTIONS, "several models are counted, not placed");
            Capacity capacity = planner.capacity(requests, choices);
            Report.print(arguments, session, new CapacityText(capacity));
            return capacity.sets() > 0 ? ExitCode.OK : ExitCode.NO;
        }
        ServingRequest request = requests.getFirst();
        int hosts = Numbers.whole(arguments, HOSTS, 0, 1);
        FleetAnswer<ServingPlan> answer = ServingOptions.isForWhoeverComes(arguments)
                ? planner.serveAsManyAsFit(request, choices, hosts)
                : planner.serve(request, choices, hosts);
        PlannerOptions.say(answer.answer().notes(), session);
        if (answer.considered().isEmpty() && answer.answer() instanceof PlanAnswer.Unanswered<ServingPlan> unknown) {
            throw PlannerOptions.cannotPlan(models.getFirst().name(), unknown);
        }
        if (EmitOption.isAsked(arguments)) {
            return EmitOption.run(arguments, session, target -> switch (answer.answer()) {
                case PlanAnswer.Feasible<ServingPlan> found ->
                    Launcher.emit(found.best(), target, answer.site(admission));
                case PlanAnswer.Infeasible<ServingPlan> _ -> throw EmitOption.nothingToStart();
                case PlanAnswer.Unanswered<ServingPlan> unknown ->
                    throw PlannerOptions.cannotPlan(models.getFirst().name(), unknown);
            });
        }
        Report.print(arguments, session, new FleetPlanText(request, answer));
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }
}
