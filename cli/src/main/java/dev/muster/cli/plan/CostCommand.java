// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.plan;

import dev.muster.cli.ask.ModelArgument;
import dev.muster.cli.ask.QuestionOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Catalogues;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.model.ModelSummary;
import dev.muster.plan.Planner;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.report.AnswerReport;
import java.time.LocalDate;
import java.util.List;

/// `muster cost`: the cheapest rented machines that serve a model as a plan does.
public final class CostCommand implements Command {
    @Override
    public CommandTitle title() {
        return CommandTitle.of("cost", "find the cheapest machine for a model").recordedBy("cost 70B --quant int8");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, ModelArgument.OPERAND)
                .with(QuestionOptions.of(QuestionKind.COST))
                .with(Catalogues.PRICES, Catalogues.MODELS, Catalogues.DEVICES)
                .exiting("1  no machine serves the model")
                .example("muster cost gpt-oss-120b", "all providers, on demand")
                .example("muster cost qwen3-32b --users 64 --ttft p99=2s --tpot 40ms", "for a load with targets")
                .example("muster cost llama-3.1-405b --provider aws,gcp --spot", "two providers, spot prices")
                .example(
                        "muster cost qwen3-32b --own rtx-4090:2 --price 4800 --years 3 --kwh 0.30",
                        "a machine of your own beside rented ones")
                .example("muster cost 7B --prices our-prices.csv --json", "with your own prices")
                .askingNoMachine();
    }

    @Override
    public int run(Arguments arguments, Session session) {
        arguments.refuse(CommonOptions.SOURCE, "cost considers rented machines only");
        ModelSummary model = ModelArgument.resolve(arguments, "cost");
        Question.Cost question =
                QuestionOptions.asked(() -> Question.cost(model, QuestionOptions.values(QuestionKind.COST, arguments)));
        DeviceCatalogue devices = Catalogues.devices(arguments);
        LocalDate today = session.today();
        Planner planner = Planner.of(AcceleratorRegistry.of(List.of()))
                .withCatalogue(devices)
                .withPrices(Catalogues.prices(arguments, devices, session))
                .withToday(today);
        Answer.Priced answer = QuestionOptions.asked(() -> question.ask(planner));
        ReportPrinter.print(
                arguments, session, AnswerReport.of(answer, planner, false).words());
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }
}
