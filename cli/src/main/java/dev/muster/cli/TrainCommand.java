package dev.muster.cli;

import dev.muster.cli.CommandSpec.Example;
import dev.muster.cli.model.TrainingText;
import dev.muster.cli.render.Printable;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.TrainingMethod;
import dev.muster.plan.TrainingTarget;
import dev.muster.plan.rules.TrainingRule;
import java.util.Arrays;
import java.util.List;

/// `muster train`: what training a model takes.
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
                "say what memory training a model takes",
                ModelArgument.OPERAND,
                1,
                List.of(),
                List.of(RulesOption.RULES, METHOD, TARGET, Catalogues.MODELS),
                List.of(),
                List.of(
                        new Example("muster train 7B --method lora --rules", "on GPUs"),
                        new Example("muster train llama-3.1-8b --method full --target tpu --rules --json", "on TPUs")));
    }

    @Override
    public int run(Arguments arguments, Session session) {
        OutputFormat format = OutputFormat.ofReport(arguments);
        CommonOptions.refuse(arguments, CommonOptions.SOURCE, "train asks no machine");
        RulesOption.require(arguments, "train");
        String text = ModelArgument.require(arguments, "train");
        TrainingMethod method =
                arguments.find(METHOD).map(TrainCommand::method).orElse(TrainingMethod.Simple.FULL_FINE_TUNE);
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
