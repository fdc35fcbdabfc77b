package dev.muster.cli.model;

import dev.muster.cli.render.Answer;
import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.Table;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable.Cell;
import dev.muster.core.FixedText;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.catalogue.OfferRanking;
import dev.muster.plan.model.ModelSummary;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.List;

/// Rented machines that hold a model, the cheapest first.
///
/// @param model the model
/// @param level the bits of a weight
/// @param purchase how machines are rented
/// @param needed the memory it takes
/// @param choices the machines to show
/// @param fitting how many machines hold it altogether
/// @param today the day on which prices are looked at
public record CostText(
        ModelSummary model,
        QuantizationLevel level,
        InstanceOffer.Purchase purchase,
        Bytes needed,
        List<OfferRanking.Choice> choices,
        int fitting,
        LocalDate today)
        implements Answer {
    private static final double PERCENT = 100;

    @Override
    public String text(Terminal terminal) {
        FactLines lines = FactLines.of(model, terminal);
        lines.add("needed", Quantity.of(needed) + " at " + level.display() + " (weights and a fifth more)");
        if (choices.isEmpty()) {
            lines.add("answer", "no machine of the price list holds it; try fewer bits with --quant");
            return lines.toString();
        }
        OfferRanking.Choice cheapest = choices.getFirst();
        lines.add(
                "cheapest",
                cheapest.offer().instance() + " of "
                        + cheapest.offer().provider().display() + ", "
                        + dollars(cheapest.price()) + " USD an hour " + way() + ", " + percent(cheapest)
                        + " of its memory free");
        int more = fitting - choices.size();
        return lines + "\n" + table(terminal)
                + (more > 0 ? terminal.dim(more + " more hold it; see them with --all") + "\n" : "");
    }

    private String way() {
        return switch (purchase) {
            case ON_DEMAND -> "on demand";
            case SPOT -> "as a spot machine";
        };
    }

    private String table(Terminal terminal) {
        return new Table<OfferRanking.Choice>(terminal)
                .mark(this::isChosen)
                .flexible("INSTANCE", 0, choice -> choice.offer().instance())
                .left("PROVIDER", 1, choice -> choice.offer().provider().text())
                .left("REGION", 5, choice -> choice.offer().region())
                .left(
                        "DEVICES",
                        2,
                        choice ->
                                choice.offer().count() + " x " + choice.offer().accelerator())
                .right("MEMORY", 3, OfferRanking.Choice::usable)
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
    private boolean isChosen(OfferRanking.Choice choice) {
        return choice == choices.getFirst();
    }

    private static String dollars(InstanceOffer.UsdPerHour price) {
        return BigDecimal.valueOf(price.amount())
                .setScale(2, RoundingMode.HALF_UP)
                .toPlainString();
    }

    private static String percent(OfferRanking.Choice choice) {
        return FixedText.of(choice.headroomPercent(), 0) + " %";
    }

    @Override
    public JsonValue json() {
        return JsonObject.document("cost")
                .put("model", model.name())
                .put("parameters", model.parameters().find(), JsonNumber::of)
                .put("quantization", level.text())
                .put("purchase", purchase.text())
                .put("neededBytes", Quantity.json(needed))
                .put("fitting", fitting)
                .put("offers", choices, this::json)
                .build();
    }

    private JsonValue json(OfferRanking.Choice choice) {
        InstanceOffer offer = choice.offer();
        return JsonObject.builder()
                .put("instance", offer.instance())
                .put("provider", offer.provider().text())
                .put("region", offer.region())
                .put("accelerator", offer.accelerator())
                .put("accelerators", offer.count())
                .put("interconnect", offer.interconnect())
                .put("usableMemoryBytes", Quantity.json(choice.usable()))
                .put("headroomRatio", choice.headroomPercent() / PERCENT)
                .put("usdPerHour", new JsonNumber(choice.price().toString()))
                .put("priceDate", offer.date().toString())
                .put("priceSource", offer.source())
                .put("priceIsStale", offer.isStale(today))
                .put("chosen", isChosen(choice))
                .build();
    }
}
