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
                .with(QuestionOptions.of(QuestionKind.QUANTIZE))
                .with(Catalogues.MODELS, Catalogues.DEVICES)
                .exiting("1  no level fits")
                .example("muster quantize 70B", "on this machine, by ai-hwaccel's table")
                .example("muster quantize llama-3.1-8b --registry box.json", "on a saved machine");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        ModelSummary model = ModelArgument.resolve(arguments, "quantize");
        Planner planner = Planner.of(session.loadRegistry(arguments));
        Answer answer = QuestionOptions.asked(() -> Question.rules(
                        QuestionKind.QUANTIZE, model, QuestionOptions.values(QuestionKind.QUANTIZE, arguments))
                .ask(planner));
        ReportPrinter.print(
                arguments, session, AnswerReport.of(answer, planner, false).words());
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }
}
