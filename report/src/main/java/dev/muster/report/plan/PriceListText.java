// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.plan.catalogue.CloudProvider;
import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue.PriceAge;
import dev.muster.plan.price.SkyPilotPrices.Fate;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Table;
import dev.muster.report.text.TextTable.Cell;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The providers of a price list, and the age of their prices.
///
/// @param prices the price list
/// @param today current day
public record PriceListText(PriceCatalogue prices, LocalDate today) implements Report {
    /// The machines of a provider.
    private record Provider(CloudProvider provider, List<InstanceOffer> offers) {
        long devices() {
            return offers.stream().map(InstanceOffer::accelerator).distinct().count();
        }
    }

    /// Returns the reason why a row of SkyPilot's catalogue is or is not part of the price list.
    public static String reason(Fate fate) {
        return switch (fate) {
            case KEPT -> "kept";
            case DEARER -> "as dear or dearer than the same machine elsewhere";
            case NO_ACCELERATOR -> "without accelerators";
            case NO_PRICE -> "without an on-demand price";
            case SHARE -> "of a share of a device";
            case DEVICE_ALONE -> "of a device without its machine";
            case SEVERAL_HOSTS -> "of TPU slices over several hosts";
            case BID -> "with bids instead of prices";
            case UNKNOWN_DEVICE -> "of unknown devices";
        };
    }

    private List<Provider> providers() {
        Map<CloudProvider, List<InstanceOffer>> offers = new EnumMap<>(CloudProvider.class);
        prices.offers()
                .forEach(offer -> offers.computeIfAbsent(offer.provider(), _ -> new ArrayList<>())
                        .add(offer));
        List<Provider> providers = new ArrayList<>();
        offers.forEach((provider, its) -> providers.add(new Provider(provider, its)));
        return providers;
    }

    private PriceAge age(Provider provider) {
        return PriceAge.of(provider.offers, today);
    }

    private long stale() {
        return prices.listStale(today).size();
    }

    @Override
    public String text(Terminal terminal) {
        FactLines lines = new FactLines(terminal).title("Prices of rented machines");
        int all = prices.offers().size();
        lines.add(
                "machines",
                Count.of(all, "machine") + " of " + Count.of(providers().size(), "provider"));
        lines.add(
                "count",
                (all - stale()) + "; prices that are more than " + PriceCatalogue.MAX_AGE_DAYS
                        + " days old do not, without --stale-prices");
        return lines + "\n"
                + new Table<Provider>(terminal)
                        .left("PROVIDER", one -> one.provider.text())
                        .right("MACHINES", one -> one.offers.size())
                        .right("DEVICES", Provider::devices)
                        .left("OLDEST", one -> new Cell(age(one).oldest().toString(), age(one).isStale()))
                        .left("NEWEST", one -> age(one).newest())
                        .render(providers());
    }

    @Override
    public JsonValue json() {
        List<JsonValue> providers = new ArrayList<>();
        for (Provider one : providers()) {
            providers.add(JsonObject.builder()
                    .put("provider", one.provider.text())
                    .put("machines", one.offers.size())
                    .put("devices", one.devices())
                    .put("prices", ModelDocument.age(age(one)))
                    .build());
        }
        return JsonObject.document("prices")
                .put("machines", prices.offers().size())
                .put("stale", stale())
                .put("providers", providers)
                .build();
    }
}
