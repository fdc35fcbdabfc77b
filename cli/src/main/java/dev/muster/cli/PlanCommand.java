// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.QuantizationLevel;
import dev.muster.model.ModelSummary;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.launch.Launcher;
import dev.muster.plan.rules.ReferencePlanDocument;
import dev.muster.plan.rules.RulePlanner;
import dev.muster.plan.rules.ShardingPlan;
import dev.muster.plan.serving.LatencyTargets.ServiceLevel;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingExplanation;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.report.picture.DeploymentPicture;
import dev.muster.report.picture.PlanPicture;
import dev.muster.report.plan.DeploymentText;
import dev.muster.report.plan.MixedText;
import dev.muster.report.plan.ServingText;
import dev.muster.report.plan.ShardingText;
import dev.muster.report.text.Printable;
import java.util.List;
import java.util.Optional;

/// `muster plan`: how a model is served best on the devices, or how ai-hwaccel's rules split it.
final class PlanCommand implements Command {
    static final OptionSpec REFERENCE =
            OptionSpec.flag("reference", "print the plan as ai-hwaccel's JSON, to the letter");

    static final OptionSpec FLEET = OptionSpec.value(
            "fleet",
            "SOURCE...",
            "on free hosts of a fleet, as 'fleet plan' does: slurm, file:PATH, ...; may be given again");

    @Override
    public CommandTitle title() {
        return CommandTitle.of("plan", "find the best way to run a model")
                .recordedBy(
                        "plan llama-3.1-70b --concurrency 64 --synthetic h100-sxm:8",
                        "plan llama-3.1-8b --synthetic l40s:2 --json",
                        "plan llama-3.1-8b --synthetic l40s:2 --emit vllm");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, ModelArgument.OPERAND)
                .with(ServingOptions.OPTIONS)
                .with(DeploymentOptions.all())
                .with(PlannerOptions.CHOICE)
                .with(PlannerOptions.HOSTS, PlannerOptions.COLLECTIVES)
                .with(FLEET)
                .with(FleetPlanCommand.ADMISSION)
                .with(FleetSourceOptions.ALL)
                .with(offloading())
                .with(PlanPictureOption.SVG, ServingOptions.FORMAT, PlannerOptions.RULES, REFERENCE)
                .with(Catalogues.MODELS, Catalogues.DEVICES)
                .with(EmitOption.OPTIONS)
                .exiting("1  the model does not fit, or no deployment keeps the targets under load")
                .example("muster plan llama-3.1-70b --concurrency 64", "the most tokens per second, here")
                .example(
                        "muster plan qwen3-32b --quant fp8 --synthetic l40s:4",
                        "the least time per token, on a made-up machine")
                .example(
                        "muster plan gpt-oss-120b --quant mxfp4_moe --engine llama.cpp --offload",
                        "with experts in the memory of the host")
                .example(
                        "muster plan llama-3.1-70b --emit vllm > serve.sh",
                        "what starts the plan, each option explained")
                .example(
                        "muster plan llama-3.1-70b --users 200 --ttft p99=2s --tpot p99=40ms",
                        "the fewest devices that keep them under load, with options of the engine")
                .example("muster plan deepseek-v3 --fleet slurm --emit slurm > job.sh", "on free nodes of a cluster")
                .example("muster plan 70B --rules", "at the quantization that the rules suggest")
                .example("muster plan llama-3.1-70b --rules --quant int8 --json", "as a document")
                .example("muster plan model.gguf --rules --registry box.json", "on a saved machine");
    }

    /// Not a constant: every start makes this command (docs/decisions/0004).
    private static List<OptionSpec> offloading() {
        return List.of(ServingOptions.OFFLOAD, PlannerOptions.HOST_BANDWIDTH);
    }

    @Override
    public int run(Arguments arguments, Session session) {
        ModelSummary model = ModelArgument.resolve(arguments, "plan");
        if (arguments.has(FLEET)) {
            arguments.refuse(DeploymentOptions.all(), "a fleet is planned for without a load");
            return FleetPlanCommand.run(arguments, session, List.of(model), FleetOptions.read(arguments, session));
        }
        arguments.refuse(FleetPlanCommand.ADMISSION, "partitions, reservations and taints are a fleet's: add --fleet");
        return arguments.has(PlannerOptions.RULES)
                ? byRules(arguments, session, model)
                : bySearch(arguments, session, model);
    }

    private static int bySearch(Arguments arguments, Session session, ModelSummary model) {
        arguments.refuse(List.of(REFERENCE), "ai-hwaccel's JSON is for ai-hwaccel's --rules");
        if (DeploymentOptions.isAsked(arguments)) {
            return underLoad(arguments, session, model);
        }
        ServingRequest request = ServingOptions.request(arguments, model);
        ServingChoices choices = ServingOptions.choices(arguments);
        Planner planner = PlannerOptions.planner(arguments, session);
        ServingOutcome outcome = ServingOptions.isForWhoeverComes(arguments)
                ? planner.serveAsManyAsFit(request, choices)
                : planner.serve(request, choices);
        PlannerOptions.say(outcome.answer().notes(), session);
        if (outcome.answer() instanceof PlanAnswer.Unanswered<ServingPlan> unanswered
                && outcome.splits().isEmpty()) {
            throw PlannerOptions.cannotPlan(model.name(), unanswered);
        }
        sayStale(outcome.request(), outcome.answer().findFirst(), session);
        return outcome.splits().isEmpty() ? uniform(arguments, session, outcome) : split(arguments, session, outcome);
    }

    private static int underLoad(Arguments arguments, Session session, ModelSummary model) {
        ServiceLevel level = DeploymentOptions.level(arguments);
        SimulationRequest request = DeploymentOptions.request(arguments, model, level);
        ServingChoices choices = ServingOptions.choices(arguments);
        Planner planner = PlannerOptions.planner(arguments, session);
        boolean isFront = arguments.has(ServingOptions.PARETO) || arguments.has(PlanPictureOption.SVG);
        try {
            PlanAnswer<DeploymentPlan> answer = planner.deploy(request, level, choices);
            PlannerOptions.say(answer.notes(), session);
            request.lengths()
                    .ifPresent(trace -> trace.notes().forEach(note -> session.note("muster: " + Printable.of(note))));
            if (answer instanceof PlanAnswer.Unanswered<DeploymentPlan> unknown) {
                throw PlannerOptions.cannotPlan(model.name(), unknown);
            }
            sayStale(request.serving(), answer.findFirst().map(DeploymentPlan::plan), session);
            if (EmitOption.isAsked(arguments)) {
                return EmitOption.run(arguments, session, target -> Launcher.emit(started(answer), target));
            }
            List<DeploymentPlan> front = isFront ? planner.deploymentFront(request, level, choices) : List.of();
            DeploymentText text = new DeploymentText(request, level, answer, front);
            PlanPictureOption.print(arguments, session, text, () -> DeploymentPicture.of(request, answer, front));
            return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
        } catch (IllegalArgumentException e) {
            throw new UsageException("cannot plan", e);
        }
    }

    private static DeploymentPlan started(PlanAnswer<DeploymentPlan> answer) {
        return answer.findFirst().filter(_ -> answer.isFeasible()).orElseThrow(EmitOption::nothingKeepsTargets);
    }

    private static int uniform(Arguments arguments, Session session, ServingOutcome outcome) {
        if (EmitOption.isAsked(arguments)) {
            return EmitOption.run(arguments, session, target -> switch (outcome.answer()) {
                case PlanAnswer.Feasible<ServingPlan> found -> Launcher.emit(found.best(), target);
                case PlanAnswer.Infeasible<ServingPlan> _, PlanAnswer.Unanswered<ServingPlan> _ ->
                    throw EmitOption.nothingToStart();
            });
        }
        ServingPlan first = outcome.answer().findFirst().orElseThrow();
        Optional<ServingExplanation> explanation =
                arguments.has(ServingOptions.EXPLAIN) ? Optional.of(Planner.explain(first)) : Optional.empty();
        ServingText text = new ServingText(outcome, arguments.has(ServingOptions.PARETO), explanation);
        PlanPictureOption.print(arguments, session, text, () -> PlanPicture.of(outcome.answer()));
        return outcome.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }

    private static int split(Arguments arguments, Session session, ServingOutcome outcome) {
        MixedPlan best = outcome.splits().getFirst();
        if (EmitOption.isAsked(arguments)) {
            return EmitOption.run(arguments, session, target -> Launcher.emit(best, target));
        }
        if (arguments.has(ServingOptions.PARETO) || arguments.has(ServingOptions.EXPLAIN)) {
            session.note("muster: --pareto and --explain know devices of one kind, and this plan has several");
        }
        PlanPictureOption.print(arguments, session, new MixedText(outcome), () -> PlanPicture.of(best));
        return ExitCode.OK;
    }

    private static void sayStale(ServingRequest request, Optional<ServingPlan> plan, Session session) {
        if (request.goal() == ServingGoal.COST || request.limits().hasBudget()) {
            Catalogues.sayStale(plan.flatMap(one -> one.rental().find()), session);
        }
    }

    private static int byRules(Arguments arguments, Session session, ModelSummary model) {
        arguments.refuse(ServingOptions.OPTIONS, "ai-hwaccel's rules know memory alone");
        arguments.refuse(List.of(PlannerOptions.HOSTS), "ai-hwaccel's rules know one machine");
        arguments.refuse(offloading(), "ai-hwaccel's rules know memory alone");
        arguments.refuse(List.of(PlannerOptions.COLLECTIVES), "ai-hwaccel's rules know memory alone");
        arguments.refuse(EmitOption.OPTIONS, "ai-hwaccel's rules name no program to start");
        arguments.refuse(List.of(PlanPictureOption.SVG), "ai-hwaccel's rules know memory alone");
        Optional<QuantizationLevel> level = arguments.read(CostCommand.QUANT, QuantizationLevel::parse);
        long parameters = ModelArgument.requireParameters(model);
        AcceleratorRegistry observed = session.loadRegistry(arguments);
        AcceleratorRegistry registry =
                PlannerOptions.choice(arguments, observed).restrict(observed);
        RulePlanner planner = planner(registry);
        QuantizationLevel chosen;
        ShardingPlan plan;
        try {
            chosen = level.orElseGet(
                    () -> planner.suggestQuantization(parameters).level());
            plan = planner.plan(parameters, chosen);
        } catch (ArithmeticException e) {
            throw new CommandException("cannot plan: " + e.getMessage());
        }
        boolean fits = !plan.shards().isEmpty() && plan.fitsInMemory(registry);
        ShardingText answer = new ShardingText(model, chosen, level.isEmpty(), plan, fits);
        if (arguments.has(REFERENCE)) {
            session.print(ReferencePlanDocument.write(plan) + "\n");
        } else {
            Report.print(arguments, session, answer);
        }
        return fits ? ExitCode.OK : ExitCode.NO;
    }

    static RulePlanner planner(AcceleratorRegistry registry) {
        try {
            return RulePlanner.of(registry);
        } catch (ArithmeticException e) {
            throw new CommandException("cannot plan: " + e.getMessage());
        }
    }
}
