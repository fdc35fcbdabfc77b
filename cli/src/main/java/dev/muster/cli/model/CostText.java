package dev.muster.cli.model;

import dev.muster.cli.render.Printable;
import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable;
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
import java.util.ArrayList;
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
        LocalDate today) {
    private static final double PERCENT = 100;

    /// Copies the choices.
    public CostText {
        choices = List.copyOf(choices);
    }

    /// For people.
    public String text(Terminal terminal) {
        FactLines lines = new FactLines(terminal).title(model.name());
        lines.add("parameters", model.parameters(), CheckpointText::parameters);
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
        TextTable table = new TextTable(
                terminal,
                List.of(
                        new TextTable.Column("", false, 0, false),
                        new TextTable.Column("INSTANCE", false, 0, true),
                        new TextTable.Column("PROVIDER", false, 1, false),
                        new TextTable.Column("REGION", false, 5, false),
                        new TextTable.Column("DEVICES", false, 2, false),
                        new TextTable.Column("MEMORY", true, 3, false),
                        new TextTable.Column("FREE", true, 4, false),
                        new TextTable.Column("USD/HOUR", true, 0, false),
                        new TextTable.Column("PRICE OF", false, 6, false)));
        boolean first = true;
        for (OfferRanking.Choice choice : choices) {
            InstanceOffer offer = choice.offer();
            table.add(List.of(
                    cell(first ? QuantizationText.mark(terminal) : ""),
                    cell(Printable.of(offer.instance())),
                    cell(offer.provider().text()),
                    cell(Printable.of(offer.region())),
                    cell(offer.count() + " x " + Printable.of(offer.accelerator())),
                    cell(Quantity.of(choice.usable())),
                    cell(percent(choice)),
                    cell(dollars(choice.price())),
                    new TextTable.Cell(offer.date().toString(), offer.isStale(today))));
            first = false;
        }
        return table.render(true);
    }

    private static String dollars(InstanceOffer.UsdPerHour price) {
        return BigDecimal.valueOf(price.amount())
                .setScale(2, RoundingMode.HALF_UP)
                .toPlainString();
    }

    private static String percent(OfferRanking.Choice choice) {
        return FixedText.of(choice.headroomPercent(), 0) + " %";
    }

    private static TextTable.Cell cell(String text) {
        return new TextTable.Cell(text, false);
    }

    /// For machines.
    public JsonValue json() {
        JsonObject.Builder object =
                JsonObject.builder().put("schema", 1).put("kind", "cost").put("model", model.name());
        model.parameters().find().ifPresent(count -> object.put("parameters", count));
        List<JsonValue> offers = new ArrayList<>();
        for (OfferRanking.Choice choice : choices) {
            offers.add(json(choice, offers.isEmpty()));
        }
        return object.put("quantization", level.text())
                .put("purchase", purchase.text())
                .put("neededBytes", Quantity.json(needed))
                .put("fitting", fitting)
                .put("offers", offers)
                .build();
    }

    private JsonValue json(OfferRanking.Choice choice, boolean chosen) {
        InstanceOffer offer = choice.offer();
        return JsonObject.builder()
                .put("instance", offer.instance())
                .put("provider", offer.provider().text())
                .put("region", offer.region())
                .put("accelerator", offer.accelerator())
                .put("accelerators", offer.count())
                .put("interconnect", offer.interconnect())
                .put("usableMemoryBytes", Quantity.json(choice.usable()))
                .put("headroomRatio", JsonNumber.of(choice.headroomPercent() / PERCENT))
                .put("usdPerHour", new JsonNumber(choice.price().toString()))
                .put("priceDate", offer.date().toString())
                .put("priceSource", offer.source())
                .put("priceIsStale", offer.isStale(today))
                .put("chosen", chosen)
                .build();
    }
}
