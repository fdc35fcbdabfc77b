// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import static dev.muster.report.plan.PredictedFigures.dollars;
import static dev.muster.report.plan.PredictedFigures.figure;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.catalogue.InstanceOffer.Purchase;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue.PriceAge;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Table;
import dev.muster.report.text.TextTable.Cell;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Machines that serve a model as a plan does, the cheapest first.
///
/// @param answer the machines
public record RentText(Answer.Priced answer) implements Report {
    static final String NO_FRESH = "every price is more than " + PriceCatalogue.MAX_AGE_DAYS
            + " days old; update them with 'muster prices --update', or count them with --stale-prices";

    /// Hours of a month, a twelfth of a year.
    private static final double HOURS = 730;

    @Override
    public String text(Terminal terminal) {
        FactLines lines = FactLines.of(answer.question().model(), terminal);
        if (answer.plans().isEmpty()) {
            lines.add(
                    "answer",
                    answer.priced() == 0
                            ? "the price list has no machine; give another with --prices"
                            : answer.stale() == answer.priced()
                                    ? NO_FRESH
                                    : "no machine of the price list, and no eight of one kind, has a feasible plan; "
                                            + "relax the targets, or try fewer bits with --quant");
            if (!left().isEmpty()) {
                lines.add("left out", left());
            }
            return lines.toString();
        }
        ServingPlan cheapest = answer.plans().getFirst();
        Rental rental = rental(cheapest);
        lines.add(
                "cheapest",
                (rental.instances() == 1 ? "" : rental.instances() + " x ")
                        + rental.offer().instance() + " of "
                        + rental.offer().provider().display() + ", " + dollars(rental.usdPerHour())
                        + " USD an hour " + way() + ", " + Math.round(rental.usdPerHour() * HOURS)
                        + " USD a month");
        lines.add(
                "plan",
                ServingText.sentence(cheapest) + "; 'muster plan' shows it with --synthetic "
                        + machine(cheapest)
                        + (rental.instances() == 1 ? "" : " --hosts " + rental.instances()));
        age().ifPresent(age -> lines.add("prices", age.display()));
        if (isOwned() && !answer.question().values().has(Parameters.KWH)) {
            lines.add("electricity", "not counted for your own machines; give its price with --kwh");
        } else if (isOwned()) {
            lines.add(
                    "electricity",
                    "of the devices of your own machines at work, day and night; the rest of a machine counts where its"
                            + " watts are stated");
        }
        if (!left().isEmpty()) {
            lines.add("left out", left());
        }
        return lines + "\n" + table(terminal);
    }

    private static Rental rental(ServingPlan plan) {
        return plan.rental().find().orElseThrow();
    }

    /// Returns the age of the rented machines' prices; empty if there are none.
    private Optional<PriceAge> age() {
        List<InstanceOffer> rented = answer.plans().stream()
                .filter(plan -> !isOwn(plan))
                .map(plan -> rental(plan).offer())
                .toList();
        return rented.isEmpty() ? Optional.empty() : Optional.of(PriceAge.of(rented, today()));
    }

    private static boolean isOwn(ServingPlan plan) {
        return rental(plan).purchase() == Purchase.OWN;
    }

    /// Returns one of the machines, as hypothetical machines are written.
    private static String machine(ServingPlan plan) {
        InstanceOffer offer = rental(plan).offer();
        return isOwn(plan) ? offer.note() : offer.machine();
    }

    private boolean isOwned() {
        return answer.plans().stream().anyMatch(RentText::isOwn);
    }

    /// Without a current day, ages of prices count from the newest one.
    private LocalDate today() {
        return answer.today()
                .orElseGet(() -> answer.plans().stream()
                        .map(plan -> rental(plan).offer().date())
                        .max(LocalDate::compareTo)
                        .orElse(LocalDate.EPOCH));
    }

    private String way() {
        return switch (rental(answer.plans().getFirst()).purchase()) {
            case ON_DEMAND -> "on demand";
            case SPOT -> "as spot machines";
            case OWN -> "in write-off and electricity";
        };
    }

    private String left() {
        List<String> parts = new ArrayList<>();
        add(
                parts,
                answer.stale(),
                "with prices more than " + PriceCatalogue.MAX_AGE_DAYS + " days old (count them with --stale-prices)");
        add(parts, answer.notWanted(), "of other providers or without such a price");
        add(parts, answer.tooSmall(), "too small for the weights");
        add(parts, answer.noPlan(), "without a feasible plan");
        add(parts, answer.dearer(), "dearer than those below");
        return String.join(", ", parts);
    }

    private static void add(List<String> parts, int count, String reason) {
        if (count > 0) {
            parts.add(count + " " + reason);
        }
    }

    private String table(Terminal terminal) {
        return new Table<ServingPlan>(terminal)
                .mark(plan -> plan.equals(answer.plans().getFirst()))
                .flexible("INSTANCE", 0, plan -> rental(plan).offer().instance())
                .left("PROVIDER", 1, plan -> rental(plan).offer().provider().text())
                .left("REGION", 7, plan -> rental(plan).offer().region())
                .right("MACHINES", 2, plan -> rental(plan).instances())
                .left(
                        "DEVICES",
                        3,
                        plan -> plan.devices() + " of "
                                + rental(plan).instances()
                                        * rental(plan).offer().count() + " x "
                                + rental(plan).offer().accelerator())
                .left("FORMAT", 6, plan -> plan.request().format().label())
                .right("TOKENS/S", 5, plan -> figure(plan.tokensPerSecond().p50()))
                .right("USD/HOUR", plan -> dollars(rental(plan).usdPerHour()))
                .right(
                        "USD/M TOKENS",
                        4,
                        plan -> figure(plan.usdPerMillionTokens().find().orElseThrow()))
                .left(
                        "PRICE OF",
                        8,
                        plan -> new Cell(
                                isOwn(plan) ? "" : rental(plan).offer().date().toString(),
                                rental(plan).offer().isStale(today())))
                .render(answer.plans());
    }

    @Override
    public JsonValue json() {
        List<JsonValue> offers = new ArrayList<>();
        answer.plans().forEach(plan -> offers.add(offer(plan, offers.isEmpty())));
        JsonObject.ObjectBuilder object = JsonObject.document("cost")
                .put("model", answer.question().model().name())
                .put("parameters", answer.question().model().parameters().find(), JsonNumber::of)
                .put("purchase", answer.question().request().purchase().text())
                .put("fitting", answer.plans().size())
                .put("offers", offers)
                .put(
                        "excluded",
                        JsonObject.builder()
                                .put("stale", answer.stale())
                                .put("notWanted", answer.notWanted())
                                .put("tooSmall", answer.tooSmall())
                                .put("noPlan", answer.noPlan())
                                .put("dearer", answer.dearer())
                                .build());
        age().ifPresent(age -> object.put("prices", ModelDocument.age(age)));
        return object.build();
    }

    private JsonValue offer(ServingPlan plan, boolean isChosen) {
        Rental rental = rental(plan);
        InstanceOffer offer = rental.offer();
        return ModelDocument.offer(offer, today())
                .put("purchase", rental.purchase().text())
                .put("machines", rental.instances())
                .put("machine", machine(plan))
                .put("usedDevices", plan.devices())
                .put("format", plan.request().format().label())
                .put("engine", plan.software().label())
                .put("tokensPerSecond", DocumentParts.estimate(plan.tokensPerSecond()))
                .put(
                        "usdPerMillionTokens",
                        DocumentParts.estimate(plan.usdPerMillionTokens().find().orElseThrow()))
                .put("usdPerHour", new JsonNumber(dollars(rental.usdPerHour())))
                .put("usdPerMonth", new JsonNumber(dollars(rental.usdPerHour() * HOURS)))
                .put("chosen", isChosen)
                .build();
    }
}
