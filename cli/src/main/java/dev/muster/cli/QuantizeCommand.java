package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.model.QuantizationText;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.plan.model.ModelSummary;
import dev.muster.plan.rules.RulePlanner;
import java.util.List;

/// `muster quantize`: how many bits a model's weights should have here, and why.
final class QuantizeCommand implements Command {
    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "quantize",
                "suggest how many bits weights should have",
                ModelArgument.OPERAND,
                1,
                List.of(),
                List.of(PlannerOptions.DEVICES, Catalogues.MODELS, Catalogues.DEVICES),
                List.of("1  not even the least fits"),
                List.of(
                        new Example("muster quantize 70B", "on this machine, by ai-hwaccel's table"),
                        new Example("muster quantize llama-3.1-8b --registry box.json", "on a saved machine")));
    }

    @Override
    public int run(Arguments arguments, Session session) {
        OutputFormat format = OutputFormat.of(arguments);
        String text = ModelArgument.require(arguments, "quantize");
        ModelSummary model = ModelArgument.resolve(text, Catalogues.models(arguments));
        long parameters = ModelArgument.requireParameters(model);
        AcceleratorRegistry observed = session.loadRegistry(arguments);
        RulePlanner planner =
                PlanCommand.planner(PlannerOptions.choice(arguments, observed).restrict(observed));
        QuantizationText answer;
        try {
            answer = new QuantizationText(
                    model, planner.suggestQuantization(parameters), planner.explainQuantization(parameters));
        } catch (ArithmeticException e) {
            throw new CommandException("cannot plan: " + e.getMessage());
        }
        session.print(
                switch (format) {
                    case JSON, YAML -> Report.of(answer.json(), format, session.terminal());
                    case TABLE, WIDE, CSV, TSV, NAME -> answer.text(session.terminal());
                });
        return answer.fits() ? ExitCode.OK : ExitCode.NO;
    }
}
