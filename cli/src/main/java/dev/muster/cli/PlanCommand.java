package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.model.MixedText;
import dev.muster.cli.model.ServingText;
import dev.muster.cli.model.ShardingText;
import dev.muster.cli.picture.PlanPicture;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.QuantizationLevel;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.ReferencePlanDocument;
import dev.muster.plan.ShardingPlan;
import dev.muster.plan.launch.LaunchFacts;
import dev.muster.plan.rules.RulePlanner;
import dev.muster.plan.search.HostLinks;
import dev.muster.plan.search.MixedPlan;
import dev.muster.plan.search.ServingAnswer;
import dev.muster.plan.search.ServingPlan;
import dev.muster.plan.search.ServingRequest;
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

    private static List<OptionSpec> options() {
        List<OptionSpec> options = new ArrayList<>(ServingPlanning.OPTIONS);
        options.add(HostNetwork.HOSTS);
        options.addAll(MixedPlanning.OPTIONS);
        options.add(PlanPictureOption.SVG);
        options.addAll(
                List.of(ServingPlanning.FORMAT, RulesOption.RULES, REFERENCE, Catalogues.MODELS, Catalogues.DEVICES));
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
        ServingRequest asked = ServingPlanning.request(arguments, model);
        boolean emits = EmitOption.isAsked(arguments);
        AcceleratorRegistry registry = session.loadRegistry(arguments);
        ServingPlanning.Chosen chosen = ServingPlanning.plan(arguments, session, registry, asked, model.name());
        ServingRequest request = chosen.request();
        ServingAnswer answer = chosen.answer();
        Optional<MixedPlanning.Found> split = MixedPlanning.find(arguments, session, registry, request, answer);
        if (split.isPresent() && emits) {
            MixedPlan best = split.get().plans().getFirst();
            return EmitOption.run(
                    arguments,
                    session,
                    format,
                    EmitOption.facts(arguments, repository -> LaunchFacts.of(request, best, repository)));
        }
        if (split.isPresent()) {
            if (arguments.has(ServingPlanning.PARETO) || arguments.has(ServingPlanning.EXPLAIN)) {
                session.note("muster: --pareto and --explain know devices of one kind, and this plan has several");
            }
            MixedText text = new MixedText(
                    model, request, split.get().plans(), split.get().host(), answer);
            PlanPictureOption.print(
                    arguments,
                    session,
                    format,
                    () -> switch (format) {
                        case JSON, YAML -> Report.of(text.json(), format, session.terminal());
                        case TABLE, WIDE, CSV, TSV, NAME -> text.text(session.terminal());
                    },
                    () -> PlanPicture.of(model, request, split.get().plans().getFirst()));
            return ExitCode.OK;
        }
        if (emits) {
            ServingPlan best = EmitOption.requireFitting(answer);
            int hosts = HostNetwork.hosts(arguments) * HostLinks.machines(registry);
            return EmitOption.run(
                    arguments,
                    session,
                    format,
                    EmitOption.facts(arguments, repository -> LaunchFacts.of(request, best, repository, hosts)));
        }
        ServingText text = ServingPlanning.text(arguments, model, request, answer);
        PlanPictureOption.print(
                arguments,
                session,
                format,
                () -> switch (format) {
                    case JSON, YAML -> Report.of(text.json(), format, session.terminal());
                    case TABLE, WIDE, CSV, TSV, NAME -> text.text(session.terminal());
                },
                () -> PlanPicture.of(model, request, answer));
        return answer instanceof ServingAnswer.Feasible ? ExitCode.OK : ExitCode.NO;
    }

    private static int byRules(Arguments arguments, Session session, ModelSummary model, OutputFormat format) {
        CommonOptions.refuse(arguments, ServingPlanning.OPTIONS, "ai-hwaccel's rules know memory alone");
        CommonOptions.refuse(arguments, List.of(HostNetwork.HOSTS), "ai-hwaccel's rules know one machine");
        CommonOptions.refuse(arguments, MixedPlanning.OPTIONS, "ai-hwaccel's rules know memory alone");
        CommonOptions.refuse(arguments, EmitOption.OPTIONS, "ai-hwaccel's rules name no program to start");
        CommonOptions.refuse(arguments, List.of(PlanPictureOption.SVG), "ai-hwaccel's rules know memory alone");
        var level = LevelOption.find(arguments);
        long parameters = ModelArgument.requireParameters(model);
        AcceleratorRegistry registry = session.loadRegistry(arguments);
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
