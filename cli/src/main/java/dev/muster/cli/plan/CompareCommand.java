// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.plan;

import dev.muster.cli.ask.MachineArgument;
import dev.muster.cli.ask.ModelArgument;
import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.ask.QuestionOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.TextFile;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.model.ModelSummary;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.report.AnswerReport;
import dev.muster.report.plan.PlansText;
import dev.muster.report.text.Printable;
import java.util.List;

/// `muster compare`: a model on two machines, or two saved plans, side by side.
public final class CompareCommand implements Command {
    private static final String OTHERWISE = "name a model after two machines";

    private static final int OPERANDS = 3;
    /// Operands where two saved plans are compared.
    private static final int PLANS = 2;

    @Override
    public CommandTitle title() {
        return CommandTitle.of("compare", "compare machines for a model, or two plans")
                .recordedBy("compare l40s:4 h100-sxm:1 qwen3-32b");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(OPERANDS, "A B [" + ModelArgument.OPERAND + "]")
                .with(options())
                .exiting("1  the model does not fit on both machines")
                .example("muster compare here h200-sxm:8 llama-3.1-70b", "this machine and a synthetic one")
                .example(
                        "muster compare old.json new.json qwen3-32b --concurrency 64",
                        "two saved registries, for 64 sequences at a time")
                .example("muster compare before.json after.json", "two plans saved with --json")
                .example("muster compare l40s:4 h100-sxm:1 qwen3-32b --quant fp8 --goal cost", "the cost per token");
    }

    private static List<OptionSpec> options() {
        List<OptionSpec> options = QuestionOptions.of(QuestionKind.COMPARE);
        options.addAll(List.of(Catalogues.PRICES, Catalogues.MODELS, Catalogues.DEVICES));
        return options;
    }

    @Override
    public int run(Arguments arguments, Session session) {
        String reason = "compare takes its machines as A and B";
        arguments.refuse(List.of(CommonOptions.REGISTRY, CommonOptions.HOST), reason);
        arguments.refuse(CommonOptions.WHAT_IF, reason);
        List<String> operands = arguments.operands();
        if (operands.size() == PLANS) {
            return comparePlans(arguments, session);
        }
        if (operands.size() < PLANS) {
            throw new UsageException("compare needs two machines and a model, or two saved plans: muster compare"
                    + " h100-sxm:8 h200-sxm:8 llama-3.1-70b");
        }
        ModelSummary model = ModelArgument.resolve(operands.getLast(), Catalogues.models(arguments));
        String a = operands.getFirst();
        String b = operands.get(1);
        Question.Compare question = QuestionOptions.asked(() -> Question.compare(
                model,
                QuestionOptions.values(QuestionKind.COMPARE, arguments).with(Parameters.MACHINES, List.of(a, b))));
        Planner here = planner(a, arguments, session);
        Answer.Compared answer = question.ask(here, planner(b, arguments, session));
        say(a, answer.comparison().here(), session);
        say(b, answer.comparison().there(), session);
        ReportPrinter.print(
                arguments, session, AnswerReport.of(answer, here, false).words());
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }

    private static int comparePlans(Arguments arguments, Session session) {
        arguments.refuse(options(), "saved plans are compared as they are");
        List<String> files = arguments.operands();
        PlansText text = new PlansText(
                TextFile.readPlan(files.getFirst(), OTHERWISE), TextFile.readPlan(files.getLast(), OTHERWISE));
        ReportPrinter.print(arguments, session, text);
        return ExitCode.OK;
    }

    private static Planner planner(String machine, Arguments arguments, Session session) {
        AcceleratorRegistry registry = MachineArgument.resolve(machine, Catalogues.devices(arguments), session);
        return PlannerOptions.planner(arguments, session, registry, machine.equals(MachineArgument.HERE));
    }

    private static void say(String machine, ServingOutcome outcome, Session session) {
        outcome.answer()
                .notes()
                .forEach(note -> session.note(
                        "muster: " + Printable.of(machine) + ": " + Printable.of(PlannerOptions.SENTENCES.note(note))));
        if (outcome.answer() instanceof PlanAnswer.Unanswered<ServingPlan> unanswered) {
            throw new CommandException("'" + Printable.of(machine) + "': "
                    + PlannerOptions.cannotPlan(outcome.request().model().name(), unanswered)
                            .getMessage());
        }
    }
}
