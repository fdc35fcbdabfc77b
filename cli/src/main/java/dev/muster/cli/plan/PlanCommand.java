// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.plan;

import dev.muster.cli.ask.EmitOption;
import dev.muster.cli.ask.ModelArgument;
import dev.muster.cli.ask.PlanPictureOption;
import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.ask.QuestionOptions;
import dev.muster.cli.fleet.FleetOptions;
import dev.muster.cli.fleet.FleetPlanCommand;
import dev.muster.cli.fleet.FleetSourceOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.model.ModelSummary;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.rules.ReferencePlanDocument;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.TaskPlan;
import dev.muster.report.AnswerReport;
import java.util.List;
import java.util.Optional;

/// `muster plan`: how a model is served best on the devices, or how ai-hwaccel's rules split it.
public final class PlanCommand implements Command {
    private static final String FLEET_SECTION = "Fleet options";

    static final OptionSpec REFERENCE = OptionSpec.flag("reference", "print the plan in ai-hwaccel's JSON format");

    @Override
    public CommandTitle title() {
        return CommandTitle.of("plan", "find the best way to run a model")
                .recordedBy(
                        "plan llama-3.1-70b --concurrency 64 --synthetic h100-sxm:8",
                        "plan llama-3.1-8b --synthetic l40s:2 --json",
                        "plan llama-3.1-8b --synthetic l40s:2 --emit vllm");
    }

    private static List<OptionSpec> inFleetSection(List<OptionSpec> options) {
        return options.stream().map(option -> option.in(FLEET_SECTION)).toList();
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, ModelArgument.OPERAND)
                .with(QuestionOptions.of(QuestionKind.PLAN))
                .with(EmitOption.WRITE, PlanPictureOption.SVG, PlannerOptions.RULES, REFERENCE)
                .with(Catalogues.PRICES, Catalogues.MODELS, Catalogues.DEVICES)
                .with(FleetOptions.FLEET.in(FLEET_SECTION))
                .with(inFleetSection(FleetPlanCommand.admission()))
                .with(inFleetSection(FleetSourceOptions.ALL))
                .exiting("1  the model does not fit, or no deployment meets the targets under load")
                .example("muster plan llama-3.1-70b --concurrency 64", "the highest throughput on this machine")
                .example(
                        "muster plan qwen3-32b --quant fp8 --synthetic l40s:4",
                        "the lowest latency on a synthetic machine")
                .example(
                        "muster plan gpt-oss-120b --quant mxfp4_moe --engine llama.cpp --offload",
                        "with experts in host memory")
                .example(
                        "muster plan llama-3.1-70b --emit vllm > serve.sh",
                        "the launch script of the plan, with each option explained")
                .example(
                        "muster plan llama-3.1-70b --users 200 --ttft p99=2s --tpot p99=40ms",
                        "the fewest devices that meet the targets under load, with engine options")
                .example("muster plan deepseek-v3 --fleet slurm --emit slurm > job.sh", "on free nodes of a cluster")
                .example("muster plan 70B --rules", "with the quantization that ai-hwaccel's rules suggest")
                .example("muster plan llama-3.1-70b --rules --quant int8 --json", "as a JSON document")
                .example("muster plan model.gguf --rules --registry box.json", "on a saved machine");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        ModelSummary model = ModelArgument.resolve(arguments, "plan");
        if (arguments.has(FleetOptions.FLEET)) {
            arguments.refuse(
                    QuestionOptions.without(QuestionKind.PLAN, QuestionKind.FLEET_PLAN.parameters()),
                    "plans on fleets support neither a load nor a choice of devices");
            return FleetPlanCommand.run(arguments, session, List.of(model), FleetOptions.read(arguments, session));
        }
        arguments.refuse(
                FleetPlanCommand.admission(), "partitions, reservations and taints are a fleet's: add --fleet");
        return arguments.has(PlannerOptions.RULES)
                ? byRules(arguments, session, model)
                : bySearch(arguments, session, model);
    }

    private static int bySearch(Arguments arguments, Session session, ModelSummary model) {
        arguments.refuse(List.of(REFERENCE), "--reference is a form of --rules");
        boolean emits = EmitOption.isAsked(arguments);
        return QuestionOptions.asked(() -> {
            ParameterValues values = QuestionOptions.values(QuestionKind.PLAN, arguments);
            return switch (Question.plan(model, values)) {
                case Question.Serve question -> serve(arguments, session, question, emits);
                case Question.Deploy question -> deploy(arguments, session, question, emits);
                case Question.Perform question -> perform(arguments, session, question, emits);
                default -> throw new IllegalStateException("another kind of question");
            };
        });
    }

    private static int serve(Arguments arguments, Session session, Question.Serve question, boolean emits) {
        Planner planner = PlannerOptions.planner(arguments, session);
        Answer.Served answer = question.ask(planner);
        ServingOutcome outcome = answer.outcome();
        PlannerOptions.say(outcome.answer().notes(), session);
        if (outcome.answer() instanceof PlanAnswer.Unanswered<ServingPlan> unanswered
                && outcome.splits().isEmpty()) {
            throw PlannerOptions.cannotPlan(question.request().model().name(), unanswered);
        }
        sayStale(outcome.request(), outcome.answer().findFirst(), session);
        if (emits) {
            return EmitOption.print(arguments, session, question.target().orElseThrow(), answer.launch());
        }
        if (!outcome.splits().isEmpty() && question.values().hasAny(List.of(Parameters.PARETO, Parameters.EXPLAIN))) {
            session.note("muster: --pareto and --explain do not apply to plans over devices of several kinds");
        }
        PlanPictureOption.print(arguments, session, AnswerReport.of(answer, planner, false));
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }

    private static int perform(Arguments arguments, Session session, Question.Perform question, boolean emits) {
        arguments.refuse(List.of(PlanPictureOption.SVG), "plans of this kind of model have no picture");
        Planner planner = PlannerOptions.planner(arguments, session);
        Answer.Performed answer = question.ask(planner);
        PlannerOptions.say(answer.answer().notes(), session);
        if (answer.answer() instanceof PlanAnswer.Unanswered<TaskPlan> unanswered) {
            throw PlannerOptions.cannotPlan(question.request().model().name(), unanswered);
        }
        if (emits) {
            return EmitOption.print(arguments, session, question.target().orElseThrow(), answer.launch());
        }
        ReportPrinter.print(
                arguments, session, AnswerReport.of(answer, planner, false).words());
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }

    private static int deploy(Arguments arguments, Session session, Question.Deploy question, boolean emits) {
        Planner planner = PlannerOptions.planner(arguments, session);
        Answer.Deployed deployed = question.ask(planner);
        PlanAnswer<DeploymentPlan> answer = deployed.answer();
        SimulationRequest request = question.request();
        PlannerOptions.say(answer.notes(), session);
        request.lengths().ifPresent(trace -> PlannerOptions.say(trace.notes(), session));
        if (answer instanceof PlanAnswer.Unanswered<DeploymentPlan> unknown) {
            throw PlannerOptions.cannotPlan(request.serving().model().name(), unknown);
        }
        sayStale(request.serving(), answer.findFirst().map(DeploymentPlan::plan), session);
        if (emits) {
            if (!answer.isFeasible()) {
                throw EmitOption.nothingKeepsTargets();
            }
            return EmitOption.print(arguments, session, question.target().orElseThrow(), deployed.launch());
        }
        PlanPictureOption.print(
                arguments, session, AnswerReport.of(deployed, planner, arguments.has(PlanPictureOption.SVG)));
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }

    private static void sayStale(ServingRequest request, Optional<ServingPlan> plan, Session session) {
        if (request.goal() == ServingGoal.COST || request.hasBudget()) {
            Catalogues.sayStale(plan.flatMap(one -> one.rental().find()), session);
        }
    }

    private static int byRules(Arguments arguments, Session session, ModelSummary model) {
        arguments.refuse(
                QuestionOptions.without(QuestionKind.PLAN, QuestionKind.PLAN_RULES.parameters()),
                "ai-hwaccel's --rules compute memory only");
        arguments.refuse(List.of(EmitOption.WRITE, PlanPictureOption.SVG), "ai-hwaccel's --rules compute memory only");
        Planner planner = Planner.of(session.loadRegistry(arguments));
        Answer answer = QuestionOptions.asked(() -> Question.rules(
                        QuestionKind.PLAN_RULES, model, QuestionOptions.values(QuestionKind.PLAN_RULES, arguments))
                .ask(planner));
        if (arguments.has(REFERENCE) && answer instanceof Answer.Sharded sharded) {
            session.print(ReferencePlanDocument.write(sharded.plan()) + "\n");
        } else {
            ReportPrinter.print(
                    arguments, session, AnswerReport.of(answer, planner, false).words());
        }
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }
}
