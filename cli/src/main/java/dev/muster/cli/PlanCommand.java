package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.model.ShardingText;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.QuantizationLevel;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.ReferencePlanDocument;
import dev.muster.plan.ShardingPlan;
import dev.muster.plan.rules.RulePlanner;
import java.util.List;

/// `muster plan`: how a model is split over devices.
final class PlanCommand implements Command {
    static final OptionSpec REFERENCE =
            OptionSpec.flag("reference", "print the plan as ai-hwaccel's JSON, to the letter");

    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "plan",
                "split a model over the devices",
                ModelArgument.OPERAND,
                1,
                List.of(),
                List.of(RulesOption.RULES, LevelOption.QUANT, REFERENCE, Catalogues.MODELS),
                List.of("1  the model does not fit"),
                List.of(
                        new Example("muster plan 70B --rules", "at the quantization that the rules suggest"),
                        new Example("muster plan llama-3.1-70b --rules --quant int8 --json", "as a document"),
                        new Example("muster plan model.gguf --rules --registry box.json", "on a saved machine")));
    }

    @Override
    public int run(Arguments arguments, Session session) {
        OutputFormat format = OutputFormat.ofReport(arguments);
        RulesOption.require(arguments, "plan");
        String text = ModelArgument.require(arguments, "plan");
        var level = LevelOption.find(arguments);
        ModelSummary model = ModelArgument.resolve(text, Catalogues.models(arguments));
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
