package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.model.TrainingExplanationText;
import dev.muster.cli.model.TrainingPlanText;
import dev.muster.cli.model.TrainingText;
import dev.muster.cli.picture.PlanPicture;
import dev.muster.cli.render.Printable;
import dev.muster.plan.Planner;
import dev.muster.plan.TrainingDocument;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.launch.Launcher;
import dev.muster.plan.model.ModelSummary;
import dev.muster.plan.rules.TrainingRule;
import dev.muster.plan.training.TrainingExplanation;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import dev.muster.plan.training.TrainingSoftware;
import java.util.ArrayList;
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
    public CommandSpec spec() {
        return new CommandSpec(
                "train",
                "find the best way to train a model",
                ModelArgument.OPERAND,
                1,
                List.of(),
                options(),
                List.of("1  the model does not fit, or limits are not kept"),
                List.of(
                        new Example("muster train llama-3.1-8b --method lora --seq 8192", "adapters, here"),
                        new Example(
                                "muster train llama-3.1-405b --batch 2048 --seq 8192 "
                                        + "--synthetic '[h100-sxm:8 nvswitch ib:8x400]' --hosts 2048",
                                "on 16,384 made-up devices"),
                        new Example(
                                "muster train llama-3.1-8b --batch 64 --emit megatron-lm --synthetic h100-sxm:8",
                                "what starts it"),
                        new Example(
                                "muster train llama-3.1-8b --tokens 100B --deadline 30d --synthetic h100-sxm:8",
                                "days, energy and cost of a whole training"),
                        new Example(
                                "muster train llama-3.1-70b --offload all --synthetic '[h100-sxm:8 cpu:2TiB]'",
                                "with states on the host"),
                        new Example("muster train 7B --method lora --rules", "memory by rules alone"),
                        new Example("muster train llama-3.1-8b --target tpu --rules --json", "as a document")));
    }

    private static List<OptionSpec> options() {
        List<OptionSpec> options = new ArrayList<>(List.of(METHOD));
        options.addAll(TrainingOptions.OPTIONS);
        options.addAll(PlannerOptions.CHOICE);
        options.add(PlanPictureOption.SVG);
        options.addAll(List.of(RulesOption.RULES, TARGET, Catalogues.MODELS, Catalogues.DEVICES));
        options.addAll(EmitOption.OPTIONS);
        return options;
    }

    @Override
    public int run(Arguments arguments, Session session) {
        OutputFormat format = OutputFormat.of(arguments);
        String text = ModelArgument.require(arguments, "train");
        TrainingMethod method =
                arguments.find(METHOD).map(TrainCommand::method).orElse(TrainingMethod.Simple.FULL_FINE_TUNE);
        return arguments.has(RulesOption.RULES)
                ? byRules(arguments, session, text, method, format)
                : bySearch(arguments, session, text, method, format);
    }

    private static int bySearch(
            Arguments arguments, Session session, String text, TrainingMethod method, OutputFormat format) {
        CommonOptions.refuse(arguments, List.of(TARGET), "without --rules the machine says what it is trained on");
        ModelSummary model = ModelArgument.resolve(text, Catalogues.models(arguments));
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
                arguments.find(TrainingOptions.FRAMEWORK).flatMap(TrainingSoftware::find),
                TrainingOptions.isOnDrives(arguments));
        PlannerOptions.say(answer.notes(), session);
        if (answer instanceof PlanAnswer.Unanswered<TrainingPlan> unanswered) {
            throw PlannerOptions.cannotPlan(model.name(), unanswered);
        }
        TrainingPlan first = answer.considered().getFirst();
        if (first.rental().find().stream().anyMatch(rental -> rental.offer().isStale(session.today()))) {
            session.note(Catalogues.STALE);
        }
        if (emits) {
            return EmitOption.run(arguments, session, format, target -> {
                if (!answer.isFeasible()) {
                    throw EmitOption.nothingToStart();
                }
                return Launcher.emit(first, target);
            });
        }
        Optional<TrainingExplanation> explanation =
                arguments.has(ServingOptions.EXPLAIN) ? Optional.of(planner.explain(first)) : Optional.empty();
        TrainingPlanText plan =
                new TrainingPlanText(request, answer, explanation.map(one -> new TrainingExplanationText(first, one)));
        PlanPictureOption.print(
                arguments,
                session,
                format,
                () -> switch (format) {
                    case JSON, YAML ->
                        Report.of(TrainingDocument.of(request, answer, explanation), format, session.terminal());
                    case TABLE, WIDE, CSV, TSV, NAME -> plan.text(session.terminal());
                },
                () -> PlanPicture.ofTraining(answer));
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }

    private static int byRules(
            Arguments arguments, Session session, String text, TrainingMethod method, OutputFormat format) {
        CommonOptions.refuse(arguments, CommonOptions.SOURCE, "ai-hwaccel's rules ask no machine");
        CommonOptions.refuse(arguments, TrainingOptions.OPTIONS, "ai-hwaccel's rules know memory alone");
        CommonOptions.refuse(arguments, EmitOption.OPTIONS, "ai-hwaccel's rules name no program to start");
        CommonOptions.refuse(arguments, List.of(PlanPictureOption.SVG), "ai-hwaccel's rules know memory alone");
        TrainingRule.Target target =
                arguments.find(TARGET).map(TrainCommand::target).orElse(TrainingRule.Target.GPU);
        ModelSummary model = ModelArgument.resolve(text, Catalogues.models(arguments));
        long millions = Math.max(1, Math.round((double) ModelArgument.requireParameters(model) / MILLION));
        TrainingText answer = new TrainingText(model, method, target, TrainingRule.estimate(millions, method, target));
        session.print(
                switch (format) {
                    case JSON, YAML -> Report.of(answer.json(), format, session.terminal());
                    case TABLE, WIDE, CSV, TSV, NAME -> answer.text(session.terminal());
                });
        return ExitCode.OK;
    }

    private static TrainingMethod method(String text) {
        try {
            return TrainingMethod.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--method: " + Printable.of(String.valueOf(e.getMessage())));
        }
    }

    private static TrainingRule.Target target(String text) {
        for (TrainingRule.Target target : TrainingRule.Target.values()) {
            if (target.text().equals(text)) {
                return target;
            }
        }
        throw new AssertionError("choices hold only targets: " + text);
    }
}
