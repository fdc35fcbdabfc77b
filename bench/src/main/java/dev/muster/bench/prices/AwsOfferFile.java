// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.MISSING_KEY;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.fleet.json.JsonItems;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// An offer file of Amazon EC2 for one region, as the AWS Price List bulk API publishes it: products by SKU, then the
/// terms of each. It has hundreds of megabytes and is read product by product. It has no spot prices.
final class AwsOfferFile implements JsonItems.Visitor {
    private static final long MAX_BYTES = 4L << 30;
    private static final int MAX_ITEM_BYTES = 4 << 20;
    private static final String PRODUCTS = "products";
    private static final String ON_DEMAND = "terms/OnDemand";
    private static final Set<String> OPENED = Set.of(PRODUCTS, "terms", ON_DEMAND, "terms/Reserved");
    private static final Set<String> FAMILIES = Set.of("Compute Instance", "Compute Instance (bare metal)");

    /// Linux on a machine that is shared and in use. `UnusedCapacityReservation` has the same price and is another
    /// thing; `AllocatedCapacityReservation` costs nothing, because the reservation does.
    private static final Map<String, String> WANTED = Map.of(
            "operatingSystem", "Linux",
            "tenancy", "Shared",
            "preInstalledSw", "NA",
            "capacitystatus", "Used");

    private final String region;
    private final Map<String, Machine> wanted = new HashMap<>();
    private final Map<String, Machine> skus = new HashMap<>();
    private final Map<Machine, Effective> prices = new LinkedHashMap<>();
    private final Map<Machine, String> unlike = new HashMap<>();
    private final Set<String> sections = new HashSet<>();
    private String section = "";
    private String published = "";
    private boolean isOfRegion;

    private AwsOfferFile(String region, List<Machine> machines) {
        this.region = region;
        machines.forEach(machine -> wanted.put(machine.instance(), machine));
    }

    /// Reads a file to its end.
    ///
    /// @param machines those that are looked for, of this region
    /// @param day the day on which prices have to hold
    /// @throws DocumentException if it is not such a file
    static Map<Machine, Quote> read(InputStream file, String region, List<Machine> machines, LocalDate day)
            throws IOException {
        AwsOfferFile offers = new AwsOfferFile(region, machines);
        new JsonItems(file, MAX_BYTES, MAX_ITEM_BYTES).readObject(offers, OPENED);
        offers.checkComplete();
        Map<Machine, Quote> quotes = new LinkedHashMap<>();
        machines.forEach(machine -> quotes.put(machine, offers.quote(machine, day)));
        return quotes;
    }

    @Override
    public void begin(String path) {
        section = path;
        sections.add(path);
        if (path.equals(ON_DEMAND) && !sections.contains(PRODUCTS)) {
            throw DocumentException.of(WRONG_VALUE, "its terms come before its products");
        }
    }

    @Override
    public void end(String path) {
        section = path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : "";
    }

    @Override
    public void item(String name, byte[] utf8) {
        throw new IllegalStateException("no list is opened: " + name);
    }

    @Override
    public void member(String name, byte[] utf8) {
        switch (section) {
            case "" -> about(name, utf8);
            case PRODUCTS -> product(name, JsonValue.parse(utf8));
            case ON_DEMAND -> {
                if (skus.containsKey(name)) {
                    term(skus.get(name), JsonValue.parse(utf8));
                }
            }
            default -> {
                // Reserved instances and other terms are not sold by the hour.
            }
        }
    }

    private void about(String name, byte[] utf8) {
        if (name.equals("offerCode") && !JsonValue.parse(utf8).equals(new JsonString("AmazonEC2"))) {
            throw DocumentException.of(WRONG_VALUE, "it is not an offer file of AmazonEC2");
        }
        if (name.equals("publicationDate") && JsonValue.parse(utf8) instanceof JsonString(String time)) {
            Effective.time(time);
            published = time;
        }
    }

    private void product(String sku, JsonValue product) {
        JsonValue attributes = product.require("attributes");
        isOfRegion |= text(attributes, "regionCode").equals(region);
        Machine machine = wanted.get(text(attributes, "instanceType"));
        if (machine == null
                || !FAMILIES.contains(text(product, "productFamily"))
                || !text(attributes, "regionCode").equals(region)
                || !WANTED.entrySet().stream()
                        .allMatch(want -> text(attributes, want.getKey()).equals(want.getValue()))) {
            return;
        }
        if (!text(attributes, "vcpu").equals(machine.processors().toPlainString())) {
            unlike.put(machine, "has " + text(attributes, "vcpu") + " vCPUs there, not " + machine.processors());
        }
        skus.put(sku, machine);
    }

    private void term(Machine machine, JsonValue terms) {
        Effective known = prices.computeIfAbsent(machine, _ -> new Effective());
        for (JsonValue term : members(terms)) {
            List<JsonValue> dimensions = members(term.require("priceDimensions"));
            if (dimensions.size() != 1) {
                throw DocumentException.of(
                        WRONG_VALUE, machine.instance() + " has " + dimensions.size() + " rates, not one");
            }
            JsonValue rate = dimensions.getFirst();
            if (!rate.requireText("unit").equals("Hrs")) {
                throw DocumentException.of(
                        WRONG_VALUE, machine.instance() + " is sold by '" + rate.requireText("unit") + "', not 'Hrs'");
            }
            if (rate.require("pricePerUnit").find("USD").isEmpty()) {
                throw DocumentException.of(WRONG_VALUE, machine.instance() + " has no price in USD");
            }
            known.add(decimal(rate.require("pricePerUnit").requireText("USD")), term.requireText("effectiveDate"));
        }
    }

    private void checkComplete() {
        for (String path : List.of(PRODUCTS, ON_DEMAND)) {
            if (!sections.contains(path)) {
                throw DocumentException.of(MISSING_KEY, "it has no '" + path + "'");
            }
        }
        if (published.isEmpty() || !isOfRegion) {
            throw DocumentException.of(
                    WRONG_VALUE,
                    published.isEmpty() ? "it has no 'publicationDate'" : "it has no product of region " + region);
        }
    }

    private Quote quote(Machine machine, LocalDate day) {
        if (unlike.containsKey(machine)) {
            return new Quote.Unlisted(unlike.get(machine));
        }
        List<BigDecimal> found = prices.getOrDefault(machine, new Effective()).on(day);
        return switch (found.size()) {
            case 0 -> new Quote.Unlisted("is not listed");
            case 1 ->
                new Quote.Listed(
                        found.getFirst(),
                        Optional.empty(),
                        "AWS Price List bulk API: AmazonEC2 " + region + " published " + published,
                        "");
            default -> new Quote.Unlisted("is listed at " + found.size() + " prices");
        };
    }

    private static BigDecimal decimal(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw DocumentException.of(WRONG_VALUE, "'" + text + "' is not a price");
        }
    }

    private static List<JsonValue> members(JsonValue value) {
        if (value instanceof JsonObject(Map<String, JsonValue> members)) {
            return List.copyOf(members.values());
        }
        throw DocumentException.of(DocumentException.DocumentErrorCode.WRONG_TYPE, "a term is not an object");
    }

    /// An attribute; blank where the product does not have it, as most do not.
    private static String text(JsonValue object, String name) {
        return object.find(name).orElse(null) instanceof JsonString(String text) ? text : "";
    }
}
