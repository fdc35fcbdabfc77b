// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.MISSING_KEY;

import dev.muster.bench.prices.GcpSku.Part;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Pages of the Google Cloud Billing Catalog for Compute Engine. No machine has a price there; its parts do.
final class GcpPages {
    private static final String SOURCE = "Google Cloud Billing Catalog: Compute Engine, service 6F81-5844-456A";
    private static final List<String> COLUMNS = List.of("series", "part", "amount", "description");

    private GcpPages() {}

    /// The token of the next page; empty after the last.
    static Optional<String> next(byte[] page) {
        return JsonValue.parse(page).find("nextPageToken").orElse(null) instanceof JsonString(String token)
                        && !token.isEmpty()
                ? Optional.of(token)
                : Optional.empty();
    }

    /// The prices of some machines.
    ///
    /// @param pages all pages
    /// @param day the day on which prices have to hold
    /// @throws DocumentException if a page is not one, or the last one is missing
    static Map<Machine, Quote> read(List<byte[]> pages, List<Machine> machines, LocalDate day) {
        List<GcpSku> skus = new ArrayList<>();
        for (byte[] page : pages) {
            JsonValue.parse(page).requireItems("skus").stream()
                    .flatMap(sku -> GcpSku.find(sku).stream())
                    .forEach(skus::add);
        }
        if (pages.isEmpty() || next(pages.getLast()).isPresent()) {
            throw DocumentException.of(MISSING_KEY, "the last page is missing");
        }
        List<CsvRow> parts = CsvTable.parse(CsvTable.resource(GcpPages.class, "gcp-parts.csv"))
                .checked(COLUMNS, List.of())
                .rows();
        Map<Machine, Quote> quotes = new LinkedHashMap<>();
        for (Machine machine : machines) {
            List<CsvRow> own = parts.stream()
                    .filter(part -> machine.instance().startsWith(part.require("series") + "-"))
                    .toList();
            quotes.put(machine, quote(machine, own, skus, day));
        }
        return quotes;
    }

    private static Quote quote(Machine machine, List<CsvRow> parts, List<GcpSku> skus, LocalDate day) {
        if (parts.isEmpty()) {
            return new Quote.Unlisted("has parts that are not known");
        }
        BigDecimal onDemand = BigDecimal.ZERO;
        Optional<BigDecimal> spot = Optional.of(BigDecimal.ZERO);
        for (CsvRow part : parts) {
            List<BigDecimal> found = prices(machine, part, skus, false, day);
            if (found.size() != 1) {
                return new Quote.Unlisted(
                        found.isEmpty()
                                ? "is not listed: no price of '" + part.require("description") + "'"
                                : "is listed at " + found.size() + " prices of '" + part.require("description") + "'");
            }
            onDemand = onDemand.add(found.getFirst());
            List<BigDecimal> foundSpot = prices(machine, part, skus, true, day);
            spot = foundSpot.size() == 1 ? spot.map(foundSpot.getFirst()::add) : Optional.empty();
        }
        return new Quote.Listed(onDemand, spot, SOURCE, parts.size() == 1 ? "" : "prices of its parts added up");
    }

    /// The hourly prices of a part of the machine.
    private static List<BigDecimal> prices(
            Machine machine, CsvRow row, List<GcpSku> skus, boolean isSpot, LocalDate day) {
        Part part = row.requireNamed("part", Part.values(), Part::text);
        BigDecimal amount = amount(machine, part).multiply(new BigDecimal(row.require("amount")));
        Effective prices = new Effective();
        skus.stream()
                .filter(sku -> sku.isSpot() == isSpot
                        && sku.part() == part
                        && sku.regions().contains(machine.region())
                        && sku.isOf(row.require("description")))
                .forEach(sku -> sku.addPrices(prices));
        return prices.on(day).stream().map(amount::multiply).toList();
    }

    private static BigDecimal amount(Machine machine, Part part) {
        return switch (part) {
            case CORE -> machine.processors();
            case MEMORY -> machine.gigabytes();
            case ACCELERATOR, LOCAL_SSD -> machine.devices();
        };
    }
}
