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
import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.catalogue.OfferChoice;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.cost.Rental;
import dev.muster.report.AnswerReport;
import dev.muster.report.text.Count;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;

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
                .withPrices(Catalogues.prices(arguments, devices))
                .withToday(today);
        Answer.Priced answer = question.ask(planner);
        ReportPrinter.print(
                arguments, session, AnswerReport.of(answer, planner, false).words());
        long stale =
                shown(answer).stream().filter(offer -> offer.isStale(today)).count();
        if (stale > 0) {
            session.note("muster: " + Count.of(stale, "price") + " of these " + (stale == 1 ? "is" : "are")
                    + " more than " + PriceCatalogue.MAX_AGE_DAYS
                    + " days old; look them up, or give your own with --prices FILE");
        }
        return answer.isFeasible() ? ExitCode.OK : ExitCode.NO;
    }

    private static List<InstanceOffer> shown(Answer.Priced answer) {
        return Stream.concat(
                        OfferChoice.offers(answer.shown()).stream(),
                        answer.plans().stream()
                                .flatMap(plan -> plan.rental().find().stream())
                                .map(Rental::offer))
                .toList();
    }
}
