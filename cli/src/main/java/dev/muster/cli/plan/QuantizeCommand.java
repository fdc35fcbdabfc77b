// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.plan;

import dev.muster.cli.ask.ModelArgument;
import dev.muster.cli.ask.QuestionOptions;
import dev.muster.cli.option.Arguments;
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

/// `muster quantize`: the weight format for a model on this machine, as `fit` recommends it; for a mere size, by
/// ai-hwaccel's table.
public final class QuantizeCommand implements Command {
    @Override
    public CommandTitle title() {
        return CommandTitle.of("quantize", "suggest a weight format");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, ModelArgument.OPERAND)
                .with(QuestionOptions.of(QuestionKind.QUANTIZE))
                .with(Catalogues.MODELS, Catalogues.DEVICES)
                .exiting("1  no format fits")
                .example("muster quantize llama-3.1-8b --registry box.json", "on a saved machine, as 'muster fit'")
                .example("muster quantize 70B", "a mere size, by ai-hwaccel's table");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        ModelSummary model = ModelArgument.resolve(arguments, "quantize");
        Question question = QuestionOptions.asked(
                () -> Question.quantize(model, QuestionOptions.values(QuestionKind.QUANTIZE, arguments)));
        if (question instanceof Question.Fit fit) {
            return FitCommand.print(fit, arguments, session);
        }
        Planner planner = Planner.of(session.loadRegistry(arguments));
        Answer answer = QuestionOptions.asked(() -> question.ask(planner));
        ReportPrinter.print(
                arguments, session, AnswerReport.of(answer, planner, false).words());
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }
}
