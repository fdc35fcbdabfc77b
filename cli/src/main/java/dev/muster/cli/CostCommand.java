// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelSummary;
import dev.muster.plan.Planner;
import dev.muster.plan.catalogue.CloudProvider;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.catalogue.OfferRanking;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.rules.MemoryRule;
import dev.muster.report.plan.CostText;
import dev.muster.report.text.Count;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;

/// `muster cost`: the cheapest rented machine that really holds a model.
final class CostCommand implements Command {
    static final OptionSpec QUANT =
            OptionSpec.value("quant", "LEVEL", "bits of a weight: fp32, fp16, bf16, int8 or int4");
    static final OptionSpec PROVIDER =
            OptionSpec.value("provider", "NAMES", "only these, with commas between, such as aws,gcp,azure,lambda");
    static final OptionSpec SPOT = OptionSpec.flag("spot", "prices of machines that can be taken back at any time");
    static final OptionSpec ALL = OptionSpec.flag("all", "every machine that holds it, not only the ten cheapest");
    private static final int SHOWN = 10;

    @Override
    public CommandTitle title() {
        return CommandTitle.of("cost", "find the cheapest machine that holds a model")
                .recordedBy("cost 70B --quant int8");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .taking(1, ModelArgument.OPERAND)
                .with(QUANT, PROVIDER, SPOT, ALL, Catalogues.PRICES, Catalogues.MODELS, Catalogues.DEVICES)
                .exiting("1  no machine holds it")
                .example("muster cost 70B --quant int8", "at any provider, on demand")
                .example("muster cost llama-3.1-405b --provider aws,gcp --spot", "two providers, spot prices")
                .example("muster cost 7B --prices our-prices.csv --json", "with prices of your own")
                .askingNoMachine();
    }

    @Override
    public int run(Arguments arguments, Session session) {
        arguments.refuse(CommonOptions.SOURCE, "cost looks at rented machines and asks no other");
        ModelSummary model = ModelArgument.resolve(arguments, "cost");
        QuantizationLevel level =
                arguments.read(QUANT, QuantizationLevel::parse).orElse(QuantizationLevel.BFLOAT16);
        Set<CloudProvider> providers = Set.copyOf(arguments.readAll(PROVIDER, CloudProvider::parse));
        InstanceOffer.Purchase purchase =
                arguments.has(SPOT) ? InstanceOffer.Purchase.SPOT : InstanceOffer.Purchase.ON_DEMAND;
        OfferRanking.Request request = OfferRanking.Request.of(needed(model, level), level)
                .withProviders(providers)
                .withPurchase(purchase);
        DeviceCatalogue devices = Catalogues.devices(arguments);
        PriceCatalogue prices = Catalogues.prices(arguments, devices);
        List<OfferRanking.Choice> fitting = Planner.of(AcceleratorRegistry.of(List.of()))
                .withCatalogue(devices)
                .withPrices(prices)
                .cost(request);
        List<OfferRanking.Choice> shown =
                arguments.has(ALL) ? fitting : fitting.subList(0, Math.min(SHOWN, fitting.size()));
        LocalDate today = session.today();
        CostText answer = new CostText(
                model, request, shown, fitting.size(), prices.offers().size(), today);
        Report.print(arguments, session, answer);
        long stale =
                shown.stream().filter(choice -> choice.offer().isStale(today)).count();
        if (stale > 0) {
            session.note("muster: " + Count.of(stale, "price") + " of these " + (stale == 1 ? "is" : "are")
                    + " more than " + PriceCatalogue.MAX_AGE_DAYS
                    + " days old; look them up, or give your own with --prices FILE");
        }
        return fitting.isEmpty() ? ExitCode.NO : ExitCode.OK;
    }

    private static Bytes needed(ModelSummary model, QuantizationLevel level) {
        try {
            return MemoryRule.estimate(ModelArgument.requireParameters(model), level);
        } catch (ArithmeticException e) {
            throw new CommandException("cannot estimate: " + e.getMessage());
        }
    }
}
