package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.model.FitText;
import dev.muster.cli.render.Printable;
import dev.muster.plan.Planner;
import dev.muster.plan.model.ModelSummary;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingRequest;
import java.util.List;

/// `muster fit`: how much context and how many sequences of a model fit on the devices, or which models
/// do.
final class FitCommand implements Command {
    @Override
    public CommandSpec spec() {
        return new CommandSpec(
                "fit",
                "say how much of a model fits, or which models do",
                "[" + ModelArgument.OPERAND + "]",
                1,
                List.of(),
                List.of(
                        ServingOptions.CONTEXT,
                        ServingOptions.CONCURRENCY,
                        ServingOptions.FORMAT,
                        ServingOptions.ENGINE,
                        PlannerOptions.HOSTS,
                        PlannerOptions.DEVICES,
                        PlannerOptions.MEMORY,
                        Catalogues.MODELS,
                        Catalogues.DEVICES),
                List.of("1  nothing fits"),
                List.of(
                        new Example("muster fit llama-3.1-70b", "the longest context and the most sequences, here"),
                        new Example(
                                "muster fit qwen3-32b --engine llama.cpp --synthetic rtx-4090:2",
                                "in the formats of GGUF, on a made-up machine"),
                        new Example("muster fit", "which models run here, as 'muster models --fit'")));
    }

    @Override
    public int run(Arguments arguments, Session session) {
        OutputFormat format = OutputFormat.of(arguments);
        if (arguments.operands().isEmpty()) {
            CommonOptions.refuse(
                    arguments,
                    List.of(
                            ServingOptions.CONTEXT,
                            ServingOptions.CONCURRENCY,
                            ServingOptions.FORMAT,
                            ServingOptions.ENGINE,
                            PlannerOptions.HOSTS),
                    "without a model, fit lists those that run");
            return ModelsCommand.printFitting(
                    arguments, Catalogues.models(arguments).entries(), session, format);
        }
        ModelSummary model =
                ModelArgument.resolve(ModelArgument.require(arguments, "fit"), Catalogues.models(arguments));
        ServingRequest request = ServingOptions.request(arguments, model);
        Planner.FitAnswer answer =
                PlannerOptions.planner(arguments, session).fit(request, ServingOptions.choices(arguments));
        PlannerOptions.say(answer.notes(), session);
        if (!answer.problem().isEmpty()) {
            throw new CommandException(
                    "cannot plan '" + Printable.of(model.name()) + "': " + Printable.of(answer.problem()));
        }
        FitText text = new FitText(request, answer);
        session.print(
                switch (format) {
                    case JSON, YAML -> Report.of(text.json(), format, session.terminal());
                    case TABLE, WIDE, CSV, TSV, NAME -> text.text(session.terminal());
                });
        return answer.fits().stream().anyMatch(FormatFit::isAny) ? ExitCode.OK : ExitCode.NO;
    }
}
