// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.plan;

import dev.muster.cli.ask.EmitOption;
import dev.muster.cli.ask.ModelArgument;
import dev.muster.cli.ask.PlanPictureOption;
import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.ask.QuestionOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.model.ModelSummary;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.report.AnswerReport;
import java.util.List;

/// `muster train`: how a model is trained best on the devices, or what memory ai-hwaccel's rules say it takes.
public final class TrainCommand implements Command {
    static final OptionSpec TARGET = QuestionOptions.of(Parameters.TARGET);

    @Override
    public CommandTitle title() {
        return CommandTitle.of("train", "find the best way to train a model")
                .recordedBy("train llama-3.1-8b --batch 64 --synthetic h100-sxm:8");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, ModelArgument.OPERAND)
                .with(QuestionOptions.of(QuestionKind.TRAIN))
                .with(EmitOption.WRITE, PlanPictureOption.SVG, PlannerOptions.RULES, TARGET)
                .with(Catalogues.PRICES, Catalogues.MODELS, Catalogues.DEVICES)
                .exiting("1  the model does not fit, or limits are not met")
                .example("muster train llama-3.1-8b --method lora --seq 8192", "LoRA adapters on this machine")
                .example(
                        "muster train llama-3.1-405b --batch 2048 --seq 8192 "
                                + "--synthetic '[h100-sxm:8 nvswitch ib:8x400]' --hosts 2048",
                        "on 16,384 synthetic devices")
                .example(
                        "muster train llama-3.1-8b --batch 64 --emit megatron-lm --synthetic h100-sxm:8",
                        "the launch script of the plan")
                .example(
                        "muster train llama-3.1-8b --tokens 100B --deadline 30d --synthetic h100-sxm:8",
                        "days, energy and cost of a complete training")
                .example(
                        "muster train llama-3.1-70b --offload all --synthetic '[h100-sxm:8 cpu:2TiB]'",
                        "with states offloaded to the host")
                .example("muster train 7B --method lora --rules", "memory by ai-hwaccel's rules")
                .example("muster train llama-3.1-8b --target tpu --rules --json", "as a JSON document");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        ModelSummary model = ModelArgument.resolve(arguments, "train");
        return arguments.has(PlannerOptions.RULES)
                ? byRules(arguments, session, model)
                : bySearch(arguments, session, model);
    }

    private static int bySearch(Arguments arguments, Session session, ModelSummary model) {
        arguments.refuse(List.of(TARGET), "without --rules, the machine determines the device");
        boolean emits = EmitOption.isAsked(arguments);
        return QuestionOptions.asked(() -> {
            Question.Train question = Question.train(model, QuestionOptions.values(QuestionKind.TRAIN, arguments));
            return train(arguments, session, question, emits);
        });
    }

    private static int train(Arguments arguments, Session session, Question.Train question, boolean emits) {
        Planner planner = PlannerOptions.planner(arguments, session);
        Answer.Trained trained = question.ask(planner);
        PlanAnswer<TrainingPlan> answer = trained.answer();
        PlannerOptions.say(answer.notes(), session);
        if (answer instanceof PlanAnswer.Unanswered<TrainingPlan> unanswered) {
            throw PlannerOptions.cannotPlan(question.request().model().name(), unanswered);
        }
        TrainingPlan first = answer.considered().getFirst();
        Catalogues.sayStale(first.rental().find(), session);
        if (emits) {
            return EmitOption.print(arguments, session, question.target().orElseThrow(), trained.launch());
        }
        PlanPictureOption.print(arguments, session, AnswerReport.of(trained, planner, false));
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }

    private static int byRules(Arguments arguments, Session session, ModelSummary model) {
        arguments.refuse(CommonOptions.SOURCE, "ai-hwaccel's --rules do not examine a machine");
        arguments.refuse(
                QuestionOptions.without(QuestionKind.TRAIN, QuestionKind.TRAIN_RULES.parameters()),
                "ai-hwaccel's --rules compute memory only");
        arguments.refuse(List.of(EmitOption.WRITE, PlanPictureOption.SVG), "ai-hwaccel's --rules compute memory only");
        Planner planner = Planner.of(AcceleratorRegistry.of(List.of()));
        Answer answer = QuestionOptions.asked(() -> Question.rules(
                        QuestionKind.TRAIN_RULES, model, QuestionOptions.values(QuestionKind.TRAIN_RULES, arguments))
                .ask(planner));
        ReportPrinter.print(
                arguments, session, AnswerReport.of(answer, planner, false).words());
        return ExitCode.OK;
    }
}
