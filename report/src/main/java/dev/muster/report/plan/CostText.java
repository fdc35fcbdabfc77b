// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.text.FixedText;
import dev.muster.model.ModelSummary;
import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.catalogue.OfferChoice;
import dev.muster.plan.catalogue.OfferRequest;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue.PriceAge;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import dev.muster.report.text.TextTable.Cell;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.List;

/// Rented machines that hold a model, the cheapest first.
///
/// @param model the model
/// @param request requirements of the machines
/// @param choices the machines to show
/// @param fitting number of machines that hold it
/// @param stale number of machines whose prices are too old to count
/// @param priced number of machines of the price list
/// @param today current day
public record CostText(
        ModelSummary model,
        OfferRequest request,
        List<OfferChoice> choices,
        int fitting,
        int stale,
        int priced,
        LocalDate today)
        implements Report {
    @Override
    public String text(Terminal terminal) {
        FactLines lines = FactLines.of(model, terminal);
        lines.add(
                "needed",
                Quantity.of(request.needed()) + " at " + request.level().display() + " (weights and a fifth more)");
        if (stale > 0) {
            lines.add(
                    "left out",
                    stale + " with prices more than " + PriceCatalogue.MAX_AGE_DAYS
                            + " days old (count them with --stale-prices)");
        }
        if (choices.isEmpty()) {
            lines.add(
                    "answer",
                    priced == 0
                            ? "the price list has no machine; give another with --prices"
                            : stale == priced
                                    ? RentText.NO_FRESH
                                    : "no machine in the price list has enough memory; try fewer bits with --quant");
            return lines.toString();
        }
        OfferChoice cheapest = choices.getFirst();
        lines.add(
                "cheapest",
                cheapest.offer().instance() + " of "
                        + cheapest.offer().provider().display() + ", "
                        + dollars(cheapest.price()) + " USD an hour " + way() + ", " + percent(cheapest)
                        + " of its memory free");
        lines.add("prices", PriceAge.of(OfferChoice.offers(choices), today).display());
        int more = fitting - choices.size();
        return lines + "\n" + table(terminal)
                + (more > 0 ? terminal.dim(more + " more hold it; see them with --all") + "\n" : "");
    }

    private String way() {
        return switch (request.purchase()) {
            case ON_DEMAND -> "on demand";
            case SPOT -> "as a spot machine";
            case OWN -> "";
        };
    }

    private String table(Terminal terminal) {
        return new Table<OfferChoice>(terminal)
                .mark(this::isChosen)
                .flexible("INSTANCE", 0, choice -> choice.offer().instance())
                .left("PROVIDER", 1, choice -> choice.offer().provider().text())
                .left("REGION", 5, choice -> choice.offer().region())
                .left(
                        "DEVICES",
                        2,
                        choice ->
                                choice.offer().count() + " x " + choice.offer().accelerator())
                .right("MEMORY", 3, OfferChoice::usable)
                .right("FREE", 4, CostText::percent)
                .right("USD/HOUR", choice -> dollars(choice.price()))
                .left(
                        "PRICE OF",
                        6,
                        choice -> new Cell(
                                choice.offer().date().toString(), choice.offer().isStale(today)))
                .render(choices);
    }

    @SuppressWarnings("ReferenceEquality") // the first of the list, not one like it
    private boolean isChosen(OfferChoice choice) {
        return choice == choices.getFirst();
    }

    private static String dollars(InstanceOffer.UsdPerHour price) {
        return BigDecimal.valueOf(price.amount())
                .setScale(2, RoundingMode.HALF_UP)
                .toPlainString();
    }

    private static String percent(OfferChoice choice) {
        return FixedText.of(choice.headroomPercent(), 0) + " %";
    }

    @Override
    public JsonValue json() {
        return ModelDocument.cost(model, request, choices, fitting, today);
    }
}
