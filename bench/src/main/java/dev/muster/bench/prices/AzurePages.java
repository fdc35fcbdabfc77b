// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.MISSING_KEY;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonString;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Pages of the Azure Retail Prices API.
final class AzurePages {
    private static final String SOURCE = "Azure Retail Prices API (prices.azure.com)";
    /// Some series write ` Win` only. Machines of Cloud Services have the same names and other prices.
    private static final List<String> OTHER_PRODUCTS = List.of(" Win", "Cloud Services", "CloudServices");

    private AzurePages() {}

    /// The address of the next page; empty after the last.
    static Optional<String> next(byte[] page) {
        return JsonValue.parse(page).find("NextPageLink").orElse(null) instanceof JsonString(String link)
                        && !link.isEmpty()
                ? Optional.of(link)
                : Optional.empty();
    }

    /// The prices of some machines.
    ///
    /// @param pages all pages of all regions
    /// @param day the day on which prices have to hold
    /// @throws DocumentException if a page is not one, the last one is missing, or a region has no prices at all
    static Map<Machine, Quote> read(List<byte[]> pages, List<Machine> machines, LocalDate day) {
        List<JsonValue> items = new ArrayList<>();
        for (byte[] page : pages) {
            JsonValue document = JsonValue.parse(page);
            requireDollars(document.requireText("BillingCurrency"));
            items.addAll(document.requireItems("Items"));
        }
        if (pages.isEmpty() || next(pages.getLast()).isPresent()) {
            throw DocumentException.of(MISSING_KEY, "the last page is missing");
        }
        Map<Machine, Quote> quotes = new LinkedHashMap<>();
        for (Machine machine : machines) {
            List<JsonValue> ofRegion = items.stream()
                    .filter(item -> item.requireText("armRegionName").equals(machine.region()))
                    .toList();
            if (ofRegion.isEmpty()) {
                throw DocumentException.of(MISSING_KEY, "no price for region " + machine.region());
            }
            quotes.put(machine, quote(ofRegion, machine, day));
        }
        return quotes;
    }

    private static Quote quote(List<JsonValue> items, Machine machine, LocalDate day) {
        Effective onDemand = new Effective();
        Effective spot = new Effective();
        for (JsonValue item : items) {
            String sku = item.requireText("skuName");
            if (isOf(item, machine) && isSoldByTheHour(item, day) && !sku.endsWith(" Low Priority")) {
                requireDollars(item.requireText("currencyCode"));
                (sku.endsWith(" Spot") ? spot : onDemand)
                        .add(item.requireNumber("retailPrice").toDecimal(), item.requireText("effectiveStartDate"));
            }
        }
        List<BigDecimal> found = onDemand.on(day);
        List<BigDecimal> foundSpot = spot.on(day);
        if (found.size() != 1 || foundSpot.size() > 1) {
            return new Quote.Unlisted(
                    found.isEmpty()
                            ? "is not listed"
                            : "is listed at " + Math.max(found.size(), foundSpot.size()) + " prices");
        }
        return new Quote.Listed(found.getFirst(), foundSpot.stream().findFirst(), SOURCE, "");
    }

    private static boolean isOf(JsonValue item, Machine machine) {
        String product = item.requireText("productName");
        return item.requireText("armSkuName")
                        .toLowerCase(Locale.ROOT)
                        .equals(machine.instance().toLowerCase(Locale.ROOT))
                && item.requireText("serviceName").equals("Virtual Machines")
                && OTHER_PRODUCTS.stream().noneMatch(product::contains);
    }

    /// A reservation says `1 Hour` too, with the price of a year.
    private static boolean isSoldByTheHour(JsonValue item, LocalDate day) {
        if (!item.requireText("type").equals("Consumption")
                || item.requireNumber("tierMinimumUnits").toDecimal().signum() != 0) {
            return false;
        }
        if (!item.requireText("unitOfMeasure").equals("1 Hour")) {
            throw DocumentException.of(
                    WRONG_VALUE,
                    item.requireText("armSkuName") + " is sold by '" + item.requireText("unitOfMeasure")
                            + "', not '1 Hour'");
        }
        return Stream.of(item.find("effectiveEndDate"))
                .flatMap(Optional::stream)
                .noneMatch(end -> end instanceof JsonString(String time)
                        && Effective.time(time)
                                .isBefore(day.atStartOfDay(ZoneOffset.UTC).toInstant()));
    }

    private static void requireDollars(String currency) {
        if (!currency.equals("USD")) {
            throw DocumentException.of(WRONG_VALUE, "its prices are in " + currency + ", not in USD");
        }
    }
}
