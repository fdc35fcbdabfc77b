package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.model.ExplanationText;
import dev.muster.cli.model.MixedText;
import dev.muster.cli.model.ServingText;
import dev.muster.cli.model.ShardingText;
import dev.muster.cli.picture.PlanPicture;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.QuantizationLevel;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingDocument;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.launch.Launcher;
import dev.muster.plan.model.ModelSummary;
import dev.muster.plan.rules.ReferencePlanDocument;
import dev.muster.plan.rules.RulePlanner;
import dev.muster.plan.rules.ShardingPlan;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingExplanation;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `muster plan`: how a model is served best on the devices, or how ai-hwaccel's rules split it.
final class PlanCommand implements Command {
    static final OptionSpec REFERENCE =
            OptionSpec.flag("reference", "print the plan as ai-hwaccel's JSON, to the letter");

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "plan",
                "find the best way to run a model",
                ModelArgument.OPERAND,
                1,
                List.of(),
                options(),
                List.of("1  the model does not fit"),
                List.of(
                        new Example("muster plan llama-3.1-70b --concurrency 64", "the most tokens per second, here"),
                        new Example(
                                "muster plan qwen3-32b --quant fp8 --synthetic l40s:4",
                                "the least time per token, on a made-up machine"),
                        new Example(
                                "muster plan gpt-oss-120b --quant mxfp4_moe --engine llama.cpp --offload",
                                "with experts in the memory of the host"),
                        new Example(
                                "muster plan llama-3.1-70b --emit vllm > serve.sh",
                                "what starts the plan, each option explained"),
                        new Example("muster plan 70B --rules", "at the quantization that the rules suggest"),
                        new Example("muster plan llama-3.1-70b --rules --quant int8 --json", "as a document"),
                        new Example("muster plan model.gguf --rules --registry box.json", "on a saved machine")));
    }

    /// Not a constant: every start makes this command (docs/decisions/0004).
    private static List<OptionSpec> offloading() {
        return List.of(ServingOptions.OFFLOAD, PlannerOptions.HOST_BANDWIDTH);
    }

    private static List<OptionSpec> options() {
        List<OptionSpec> options = new ArrayList<>(ServingOptions.OPTIONS);
        options.addAll(PlannerOptions.CHOICE);
        options.add(PlannerOptions.HOSTS);
        options.addAll(offloading());
        options.add(PlanPictureOption.SVG);
        options.addAll(
                List.of(ServingOptions.FORMAT, RulesOption.RULES, REFERENCE, Catalogues.MODELS, Catalogues.DEVICES));
        options.addAll(EmitOption.OPTIONS);
        return options;
    }

    @Override
    public int run(Arguments arguments, Session session) {
        OutputFormat format = OutputFormat.of(arguments);
        String text = ModelArgument.require(arguments, "plan");
        ModelSummary model = ModelArgument.resolve(text, Catalogues.models(arguments));
        return arguments.has(RulesOption.RULES)
                ? byRules(arguments, session, model, format)
                : bySearch(arguments, session, model, format);
    }

    private static int bySearch(Arguments arguments, Session session, ModelSummary model, OutputFormat format) {
        CommonOptions.refuse(arguments, List.of(REFERENCE), "ai-hwaccel's JSON is for ai-hwaccel's --rules");
        ServingRequest request = ServingOptions.request(arguments, model);
        ServingChoices choices = ServingOptions.choices(arguments);
        boolean emits = EmitOption.isAsked(arguments);
        Planner planner = PlannerOptions.planner(arguments, session);
        ServingOutcome outcome = emits && !arguments.has(ServingOptions.CONCURRENCY)
                ? planner.serveAsManyAsFit(
                        arguments.has(ServingOptions.GOAL) ? request : request.withGoal(ServingGoal.THROUGHPUT),
                        choices)
                : planner.serve(request, choices);
        PlannerOptions.say(outcome.answer().notes(), session);
        if (outcome.answer() instanceof PlanAnswer.Unanswered<ServingPlan> unanswered
                && outcome.splits().isEmpty()) {
            throw PlannerOptions.cannotPlan(model.name(), unanswered);
        }
        sayStale(outcome, session);
        return outcome.splits().isEmpty()
                ? uniform(arguments, session, planner, outcome, format)
                : split(arguments, session, outcome, format);
    }

    private static int uniform(
            Arguments arguments, Session session, Planner planner, ServingOutcome outcome, OutputFormat format) {
        if (EmitOption.isAsked(arguments)) {
            return EmitOption.run(arguments, session, format, target -> switch (outcome.answer()) {
                case PlanAnswer.Feasible<ServingPlan> found -> Launcher.emit(found.best(), target);
                case PlanAnswer.Infeasible<ServingPlan> _, PlanAnswer.Unanswered<ServingPlan> _ ->
                    throw EmitOption.nothingToStart();
            });
        }
        ServingPlan first = outcome.answer().findFirst().orElseThrow();
        Optional<ServingExplanation> explanation =
                arguments.has(ServingOptions.EXPLAIN) ? Optional.of(planner.explain(first)) : Optional.empty();
        boolean isFront = arguments.has(ServingOptions.PARETO);
        ServingText text = new ServingText(outcome, isFront, explanation.map(one -> new ExplanationText(first, one)));
        PlanPictureOption.print(
                arguments,
                session,
                format,
                () -> switch (format) {
                    case JSON, YAML ->
                        Report.of(ServingDocument.of(outcome, isFront, explanation), format, session.terminal());
                    case TABLE, WIDE, CSV, TSV, NAME -> text.text(session.terminal());
                },
                () -> PlanPicture.of(outcome.answer()));
        return outcome.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }

    private static int split(Arguments arguments, Session session, ServingOutcome outcome, OutputFormat format) {
        MixedPlan best = outcome.splits().getFirst();
        if (EmitOption.isAsked(arguments)) {
            return EmitOption.run(arguments, session, format, target -> Launcher.emit(best, target));
        }
        if (arguments.has(ServingOptions.PARETO) || arguments.has(ServingOptions.EXPLAIN)) {
            session.note("muster: --pareto and --explain know devices of one kind, and this plan has several");
        }
        MixedText text = new MixedText(outcome);
        PlanPictureOption.print(
                arguments,
                session,
                format,
                () -> switch (format) {
                    case JSON, YAML ->
                        Report.of(ServingDocument.of(outcome, false, Optional.empty()), format, session.terminal());
                    case TABLE, WIDE, CSV, TSV, NAME -> text.text(session.terminal());
                },
                () -> PlanPicture.of(best));
        return ExitCode.OK;
    }

    private static void sayStale(ServingOutcome outcome, Session session) {
        ServingRequest request = outcome.request();
        boolean counts = request.goal() == ServingGoal.COST || request.limits().hasBudget();
        outcome.answer().findFirst().flatMap(plan -> plan.rental().find()).ifPresent(rental -> {
            if (counts && rental.offer().isStale(session.today())) {
                session.note(Catalogues.STALE);
            }
        });
    }

    private static int byRules(Arguments arguments, Session session, ModelSummary model, OutputFormat format) {
        CommonOptions.refuse(arguments, ServingOptions.OPTIONS, "ai-hwaccel's rules know memory alone");
        CommonOptions.refuse(arguments, List.of(PlannerOptions.HOSTS), "ai-hwaccel's rules know one machine");
        CommonOptions.refuse(arguments, offloading(), "ai-hwaccel's rules know memory alone");
        CommonOptions.refuse(arguments, EmitOption.OPTIONS, "ai-hwaccel's rules name no program to start");
        CommonOptions.refuse(arguments, List.of(PlanPictureOption.SVG), "ai-hwaccel's rules know memory alone");
        var level = LevelOption.find(arguments);
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
        session.print(
                arguments.has(REFERENCE)
                        ? ReferencePlanDocument.write(plan) + "\n"
                        : switch (format) {
                            case JSON, YAML -> Report.of(answer.json(), format, session.terminal());
                            case TABLE, WIDE, CSV, TSV, NAME -> answer.text(session.terminal());
                        });
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
