// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.model.ModelSummary;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.launch.Launcher;
import dev.muster.plan.rules.TrainingRule;
import dev.muster.plan.training.TrainingExplanation;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import dev.muster.report.picture.PlanPicture;
import dev.muster.report.plan.TrainingPlanText;
import dev.muster.report.plan.TrainingText;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// `muster train`: how a model is trained best on the devices, or what memory ai-hwaccel's rules say it takes.
final class TrainCommand implements Command {
    static final OptionSpec METHOD = OptionSpec.value(
            "method", "METHOD", "full (default), lora, qlora-4bit, qlora-8bit, prefix, dpo, rlhf or distillation");
    static final OptionSpec TARGET = OptionSpec.choice(
            "target",
            "KIND",
            Arrays.stream(TrainingRule.Target.values())
                    .map(TrainingRule.Target::text)
                    .toList(),
            "what it is trained on: gpu (default), tpu, gaudi or cpu");
    private static final long MILLION = 1_000_000;

    @Override
    public CommandTitle title() {
        return CommandTitle.of("train", "find the best way to train a model")
                .recordedBy("train llama-3.1-8b --batch 64 --synthetic h100-sxm:8");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, ModelArgument.OPERAND)
                .with(METHOD)
                .with(TrainingOptions.OPTIONS)
                .with(PlannerOptions.CHOICE)
                .with(PlanPictureOption.SVG, PlannerOptions.RULES, TARGET, Catalogues.MODELS, Catalogues.DEVICES)
                .with(EmitOption.OPTIONS)
                .exiting("1  the model does not fit, or limits are not kept")
                .example("muster train llama-3.1-8b --method lora --seq 8192", "adapters, here")
                .example(
                        "muster train llama-3.1-405b --batch 2048 --seq 8192 "
                                + "--synthetic '[h100-sxm:8 nvswitch ib:8x400]' --hosts 2048",
                        "on 16,384 made-up devices")
                .example(
                        "muster train llama-3.1-8b --batch 64 --emit megatron-lm --synthetic h100-sxm:8",
                        "what starts it")
                .example(
                        "muster train llama-3.1-8b --tokens 100B --deadline 30d --synthetic h100-sxm:8",
                        "days, energy and cost of a whole training")
                .example(
                        "muster train llama-3.1-70b --offload all --synthetic '[h100-sxm:8 cpu:2TiB]'",
                        "with states on the host")
                .example("muster train 7B --method lora --rules", "memory by rules alone")
                .example("muster train llama-3.1-8b --target tpu --rules --json", "as a document");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        ModelSummary model = ModelArgument.resolve(arguments, "train");
        TrainingMethod method =
                arguments.read(METHOD, TrainingMethod::parse).orElse(TrainingMethod.Simple.FULL_FINE_TUNE);
        return arguments.has(PlannerOptions.RULES)
                ? byRules(arguments, session, model, method)
                : bySearch(arguments, session, model, method);
    }

    private static int bySearch(Arguments arguments, Session session, ModelSummary model, TrainingMethod method) {
        arguments.refuse(List.of(TARGET), "without --rules the machine says what it is trained on");
        TrainingRequest request = TrainingOptions.request(arguments, model, method);
        boolean emits = EmitOption.isAsked(arguments);
        Planner planner = PlannerOptions.planner(arguments, session);
        if (arguments.has(TrainingOptions.DISK_BANDWIDTH)) {
            planner = planner.withDiskBandwidth(PlannerOptions.bandwidth(
                    TrainingOptions.DISK_BANDWIDTH,
                    arguments.find(TrainingOptions.DISK_BANDWIDTH).orElseThrow()));
        }
        PlanAnswer<TrainingPlan> answer = planner.train(
                request,
                arguments.find(TrainingOptions.FRAMEWORK).flatMap(TrainingFramework::find),
                TrainingOptions.isOnDrives(arguments));
        PlannerOptions.say(answer.notes(), session);
        if (answer instanceof PlanAnswer.Unanswered<TrainingPlan> unanswered) {
            throw PlannerOptions.cannotPlan(model.name(), unanswered);
        }
        TrainingPlan first = answer.considered().getFirst();
        Catalogues.sayStale(first.rental().find(), session);
        if (emits) {
            return EmitOption.run(arguments, session, target -> {
                if (!answer.isFeasible()) {
                    throw EmitOption.nothingToStart();
                }
                return Launcher.emit(first, target);
            });
        }
        Optional<TrainingExplanation> explanation =
                arguments.has(ServingOptions.EXPLAIN) ? Optional.of(Planner.explain(first)) : Optional.empty();
        TrainingPlanText text = new TrainingPlanText(request, answer, explanation);
        PlanPictureOption.print(arguments, session, text, () -> PlanPicture.ofTraining(answer));
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }

    private static int byRules(Arguments arguments, Session session, ModelSummary model, TrainingMethod method) {
        arguments.refuse(CommonOptions.SOURCE, "ai-hwaccel's rules ask no machine");
        arguments.refuse(TrainingOptions.OPTIONS, "ai-hwaccel's rules know memory alone");
        arguments.refuse(EmitOption.OPTIONS, "ai-hwaccel's rules name no program to start");
        arguments.refuse(List.of(PlanPictureOption.SVG), "ai-hwaccel's rules know memory alone");
        TrainingRule.Target target = arguments
                .choose(TARGET, TrainingRule.Target.values(), TrainingRule.Target::text)
                .orElse(TrainingRule.Target.GPU);
        long millions = Math.max(1, Math.round((double) ModelArgument.requireParameters(model) / MILLION));
        TrainingText answer = new TrainingText(model, method, target, TrainingRule.estimate(millions, method, target));
        Report.print(arguments, session, answer);
        return ExitCode.OK;
    }
}
