// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.model.ModelSummary;
import dev.muster.plan.Planner;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.report.plan.FitText;
import dev.muster.report.text.Printable;
import java.util.List;

/// `muster fit`: how much context and how many sequences of a model fit on the devices, or which models
/// do.
final class FitCommand implements Command {
    @Override
    public CommandTitle title() {
        return CommandTitle.of("fit", "say how much of a model fits, or which models do")
                .recordedBy("fit llama-3.1-70b --synthetic h100-sxm:8");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, "[" + ModelArgument.OPERAND + "]")
                .with(ofModel())
                .with(PlannerOptions.DEVICES, PlannerOptions.MEMORY, Catalogues.MODELS, Catalogues.DEVICES)
                .exiting("1  nothing fits")
                .example("muster fit llama-3.1-70b", "the longest context and the most sequences, here")
                .example(
                        "muster fit qwen3-32b --engine llama.cpp --synthetic rtx-4090:2",
                        "in the formats of GGUF, on a made-up machine")
                .example("muster fit", "which models run here, as 'muster models --fit'");
    }

    private static List<OptionSpec> ofModel() {
        return List.of(
                ServingOptions.CONTEXT,
                ServingOptions.CONCURRENCY,
                ServingOptions.FORMAT,
                ServingOptions.ENGINE,
                PlannerOptions.HOSTS);
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (arguments.operands().isEmpty()) {
            arguments.refuse(ofModel(), "without a model, fit lists those that run");
            return ModelsCommand.printFitting(
                    arguments, Catalogues.models(arguments).entries(), session);
        }
        ModelSummary model = ModelArgument.resolve(arguments, "fit");
        ServingRequest request = ServingOptions.request(arguments, model);
        Planner.FitAnswer answer =
                PlannerOptions.planner(arguments, session).fit(request, ServingOptions.choices(arguments));
        PlannerOptions.say(answer.notes(), session);
        if (!answer.problem().isEmpty()) {
            throw new CommandException(
                    "cannot plan '" + Printable.of(model.name()) + "': " + Printable.of(answer.problem()));
        }
        Report.print(arguments, session, new FitText(request, answer));
        return answer.fits().stream().anyMatch(FormatFit::isAny) ? ExitCode.OK : ExitCode.NO;
    }
}
