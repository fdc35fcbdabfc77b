// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.plan;

import dev.muster.cli.ask.ModelArgument;
import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Report;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.model.ModelSummary;
import dev.muster.plan.rules.RulePlanner;
import dev.muster.report.plan.QuantizationText;

/// `muster quantize`: how many bits a model's weights should have here, and why.
public final class QuantizeCommand implements Command {
    @Override
    public CommandTitle title() {
        return CommandTitle.of("quantize", "suggest a quantization level");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, ModelArgument.OPERAND)
                .with(PlannerOptions.DEVICES, Catalogues.MODELS, Catalogues.DEVICES)
                .exiting("1  no level fits")
                .example("muster quantize 70B", "on this machine, by ai-hwaccel's table")
                .example("muster quantize llama-3.1-8b --registry box.json", "on a saved machine");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        ModelSummary model = ModelArgument.resolve(arguments, "quantize");
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
        Report.print(arguments, session, answer);
        return answer.fits() ? ExitCode.OK : ExitCode.NO;
    }
}
