// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.plan;

import dev.muster.cli.ask.ModelArgument;
import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.ask.QuestionOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.model.ModelSummary;
import dev.muster.plan.Planner;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.report.AnswerReport;
import dev.muster.report.text.Printable;

/// `muster fit`: how much context and how many sequences of a model fit on the devices, or which models
/// do.
public final class FitCommand implements Command {
    @Override
    public CommandTitle title() {
        return CommandTitle.of("fit", "show the context that fits, or models that fit")
                .recordedBy("fit llama-3.1-70b --synthetic h100-sxm:8");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, "[" + ModelArgument.OPERAND + "]")
                .with(QuestionOptions.of(QuestionKind.FIT))
                .with(Catalogues.MODELS, Catalogues.DEVICES)
                .exiting("1  nothing fits")
                .example("muster fit llama-3.1-70b", "the longest context and the most sequences on this machine")
                .example(
                        "muster fit qwen3-32b --engine llama.cpp --synthetic rtx-4090:2",
                        "in GGUF formats on a synthetic machine")
                .example("muster fit", "models that run here, as 'muster models --fit'");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (arguments.operands().isEmpty()) {
            return ModelsCommand.printFitting(
                    arguments, Catalogues.models(arguments).entries(), session);
        }
        ModelSummary model = ModelArgument.resolve(arguments, "fit");
        return print(
                QuestionOptions.asked(() -> Question.fit(model, QuestionOptions.values(QuestionKind.FIT, arguments))),
                arguments,
                session);
    }

    static int print(Question.Fit question, Arguments arguments, Session session) {
        Planner planner = PlannerOptions.planner(arguments, session);
        Answer.Fitted fitted = QuestionOptions.asked(() -> question.ask(planner));
        Planner.FitAnswer answer = fitted.answer();
        PlannerOptions.say(answer.notes(), session);
        if (answer.problem().isPresent()) {
            String model = question.request().model().name();
            throw new CommandException("cannot plan '" + Printable.of(model) + "': "
                    + PlannerOptions.SENTENCES.complaint(answer.problem().get(), answer.remedies()));
        }
        ReportPrinter.print(
                arguments, session, AnswerReport.of(fitted, planner, false).words());
        return fitted.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }
}
