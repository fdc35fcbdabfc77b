package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.model.TrainingPlanText;
import dev.muster.cli.model.TrainingText;
import dev.muster.cli.picture.PlanPicture;
import dev.muster.cli.render.Printable;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.TrainingMethod;
import dev.muster.plan.TrainingTarget;
import dev.muster.plan.launch.LaunchFacts;
import dev.muster.plan.rules.TrainingRule;
import dev.muster.plan.training.TrainingAnswer;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// `muster train`: how a model is trained best on the devices, or what memory ai-hwaccel's rules say it takes.
final class TrainCommand implements Command {
    static final OptionSpec METHOD = OptionSpec.value(
            "method", "METHOD", "full (default), lora, qlora-4bit, qlora-8bit, prefix, dpo, rlhf or distillation");
    static final OptionSpec TARGET = OptionSpec.choice(
            "target",
            "KIND",
            Arrays.stream(TrainingTarget.values()).map(TrainingTarget::text).toList(),
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
        options.addAll(TrainingPlanning.OPTIONS);
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
        TrainingRequest request = TrainingPlanning.request(arguments, model, method);
        boolean emits = EmitOption.isAsked(arguments);
        TrainingAnswer answer = TrainingPlanning.plan(arguments, session, request, model.name());
        if (emits) {
            return emit(arguments, session, request, answer, format);
        }
        TrainingPlanText plan = TrainingPlanning.text(arguments, model, request, answer);
        PlanPictureOption.print(
                arguments,
                session,
                format,
                () -> switch (format) {
                    case JSON, YAML -> Report.of(plan.json(), format, session.terminal());
                    case TABLE, WIDE, CSV, TSV, NAME -> plan.text(session.terminal());
                },
                () -> PlanPicture.of(model, request, answer));
        return answer instanceof TrainingAnswer.Feasible ? ExitCode.OK : ExitCode.NO;
    }

    private static int emit(
            Arguments arguments, Session session, TrainingRequest request, TrainingAnswer answer, OutputFormat format) {
        return switch (answer) {
            case TrainingAnswer.Feasible(TrainingPlan best, var _, var _) ->
                EmitOption.run(
                        arguments,
                        session,
                        format,
                        EmitOption.facts(arguments, repository -> LaunchFacts.of(request, best, repository)));
            case TrainingAnswer.Limited _, TrainingAnswer.Infeasible _ -> throw EmitOption.nothingToStart();
        };
    }

    private static int byRules(
            Arguments arguments, Session session, String text, TrainingMethod method, OutputFormat format) {
        CommonOptions.refuse(arguments, CommonOptions.SOURCE, "ai-hwaccel's rules ask no machine");
        CommonOptions.refuse(arguments, TrainingPlanning.OPTIONS, "ai-hwaccel's rules know memory alone");
        CommonOptions.refuse(arguments, EmitOption.OPTIONS, "ai-hwaccel's rules name no program to start");
        CommonOptions.refuse(arguments, List.of(PlanPictureOption.SVG), "ai-hwaccel's rules know memory alone");
        TrainingTarget target = arguments.find(TARGET).map(TrainCommand::target).orElse(TrainingTarget.GPU);
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

    private static TrainingTarget target(String text) {
        for (TrainingTarget target : TrainingTarget.values()) {
            if (target.text().equals(text)) {
                return target;
            }
        }
        throw new AssertionError("choices hold only targets: " + text);
    }
}
