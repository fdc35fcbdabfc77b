// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.plan;

import dev.muster.cli.ask.ModelArgument;
import dev.muster.cli.ask.PlanPictureOption;
import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.ask.QuestionOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.model.ModelSummary;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.Naming;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.report.AnswerReport;
import dev.muster.report.text.Printable;

/// `muster simulate`: what clients see of a model under load, request by request.
public final class SimulateCommand implements Command {
    @Override
    public CommandTitle title() {
        return CommandTitle.of("simulate", "simulate a load on a deployment")
                .recordedBy("simulate llama-3.1-8b --rate 2 --synthetic h100-sxm:1");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, ModelArgument.OPERAND)
                .with(QuestionOptions.of(QuestionKind.SIMULATE))
                .with(PlanPictureOption.SVG, Catalogues.MODELS, Catalogues.DEVICES)
                .exiting("1  at least one request in ten misses a target of --slo")
                .example(
                        "muster simulate llama-3.1-8b --users 64",
                        "TTFT, TPOT and throughput with 64 users on this machine")
                .example(
                        "muster simulate qwen3-32b --rate 4/s --slo ttft=2s,tpot=50ms --synthetic h100-sxm:2",
                        "goodput on a synthetic machine")
                .example(
                        "muster simulate llama-3.1-70b --trace azure.csv --synthetic h100-sxm:8 --svg load.svg",
                        "recorded requests, with curves over the load");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        ModelSummary model = ModelArgument.resolve(arguments, "simulate");
        return QuestionOptions.asked(() -> simulate(
                arguments,
                session,
                Question.simulate(model, QuestionOptions.values(QuestionKind.SIMULATE, arguments))));
    }

    private static int simulate(Arguments arguments, Session session, Question.Simulate question) {
        Planner planner = PlannerOptions.planner(arguments, session);
        SimulationRequest request = question.request();
        Answer.Simulated answer = question.ask(planner);
        PlannerOptions.say(answer.answer().notes(), session);
        request.lengths().ifPresent(trace -> PlannerOptions.say(trace.notes(), session));
        String model = request.serving().model().name();
        if (answer.answer() instanceof PlanAnswer.Unanswered<ServingSimulation> unknown) {
            throw PlannerOptions.cannotPlan(model, unknown);
        }
        String reason = AnswerReport.reason(answer, Naming.OPTIONS);
        if (!reason.isEmpty()) {
            throw new CommandException("cannot simulate '" + Printable.of(model) + "': " + reason);
        }
        PlanPictureOption.print(
                arguments, session, AnswerReport.of(answer, planner, arguments.has(PlanPictureOption.SVG)));
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }
}
