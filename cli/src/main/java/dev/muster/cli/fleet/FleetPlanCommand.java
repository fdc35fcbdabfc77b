// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.fleet;

import dev.muster.cli.ask.EmitOption;
import dev.muster.cli.ask.ModelArgument;
import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.ask.QuestionOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.plan.FleetQuestion;
import dev.muster.model.ModelSummary;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.report.AnswerReport;
import java.util.ArrayList;
import java.util.List;

/// `muster fleet plan`: the hosts of a fleet that a model is served on best, or how many replicas of several models
/// fit.
public final class FleetPlanCommand implements Command {
    /// Returns the options that say which hosts may be used, which `plan --fleet` has as well.
    public static List<OptionSpec> admission() {
        return List.of(
                QuestionOptions.of(Parameters.PARTITION),
                QuestionOptions.of(Parameters.RESERVATION),
                QuestionOptions.of(Parameters.TOLERATE));
    }

    @Override
    public CommandTitle title() {
        return CommandTitle.of("fleet plan", "find hosts for a model, or capacity for several");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(Integer.MAX_VALUE, "MODEL ...")
                .with(FleetOptions.SOURCES, FleetOptions.TIMEOUT)
                .with(FleetSourceOptions.ALL)
                .with(QuestionOptions.of(QuestionKind.FLEET_PLAN))
                .with(EmitOption.WRITE, Catalogues.PRICES, Catalogues.MODELS, Catalogues.DEVICES)
                .exiting("1  no free host holds the model, or not even one replica of each fits")
                .example("muster fleet plan llama-3.1-70b", "free nodes of the Slurm cluster, with the predicted speed")
                .example("muster fleet plan deepseek-v3 --emit slurm > job.sh", "a job script for these nodes")
                .example(
                        "muster fleet plan llama-3.1-8b qwen3-32b llama-3.1-70b",
                        "the number of replicas of each model that fit together");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (arguments.operands().isEmpty()) {
            throw new UsageException("fleet plan needs a model, such as llama-3.1-8b, or several");
        }
        List<ModelSummary> models = new ArrayList<>();
        for (String text : arguments.operands()) {
            models.add(ModelArgument.resolve(text, Catalogues.models(arguments)));
        }
        return run(arguments, session, models, FleetOptions.read(arguments, session));
    }

    public static int run(Arguments arguments, Session session, List<ModelSummary> models, Fleet fleet) {
        boolean emits = EmitOption.isAsked(arguments);
        FleetQuestion.FleetReply answer = QuestionOptions.asked(
                () -> FleetQuestion.of(models, QuestionOptions.values(QuestionKind.FLEET_PLAN, arguments))
                        .ask(fleet, PlannerOptions.planners(arguments, session, false)));
        if (answer instanceof FleetQuestion.FleetReply.Placed placed) {
            PlanAnswer<ServingPlan> plan = placed.answer().answer();
            PlannerOptions.say(plan.notes(), session);
            if (plan instanceof PlanAnswer.Unanswered<ServingPlan> unknown
                    && (emits || placed.answer().considered().isEmpty())) {
                throw PlannerOptions.cannotPlan(models.getFirst().name(), unknown);
            }
            if (emits) {
                LaunchTarget target = placed.question().serving().target().orElseThrow();
                return EmitOption.print(arguments, session, target, placed.launch());
            }
        }
        ReportPrinter.print(arguments, session, AnswerReport.of(answer).words());
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }
}
