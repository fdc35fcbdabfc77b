// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.Provenance;
import dev.muster.model.CatalogueException;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Cloud prices of machines with accelerators. Prices change often; each has its day. Immutable and safe to share
/// between threads.
///
/// @since 0.1
public final class PriceCatalogue {
    /// The age from which on a price is not trusted, in days (docs/decisions/0024-age-of-prices.md).
    public static final int MAX_AGE_DAYS = 120;

    private static final String RESOURCE = "prices.csv";
    private static final List<String> REQUIRED = List.of(
            "provider",
            "instance",
            "region",
            "accelerator",
            "count",
            "memory_gb_each",
            "price_usd_hour_on_demand",
            "source",
            "date");
    private static final List<String> OPTIONAL =
            List.of("vcpus", "ram_gb", "interconnect", "price_usd_hour_spot", "note");
    private static final long MAX_DEVICES = 100_000;
    private static final long MAX_GIGABYTES = 1_000_000;
    private static final long MAX_PROCESSORS = 1_000_000;
    private static final long MAX_HOST_GIGABYTES = 1_000_000_000;
    private static final long MAX_DOLLARS = 1_000_000_000;

    private final Map<String, InstanceOffer> offers;

    private PriceCatalogue(Map<String, InstanceOffer> offers) {
        this.offers = offers;
    }

    /// Returns the prices that come with Muster.
    public static PriceCatalogue builtIn() {
        return BuiltIn.CATALOGUE;
    }

    /// Parses a table of prices; docs/catalogues.md describes its form.
    ///
    /// @param devices the devices that the table may name
    /// @throws CatalogueException if the text is not such a table
    public static PriceCatalogue parse(String text, DeviceCatalogue devices) {
        Map<String, InstanceOffer> offers = new LinkedHashMap<>();
        for (InstanceOffer offer : read(text, devices)) {
            if (offers.put(offer.key(), offer) != null) {
                throw CatalogueException.of("instance '" + CsvRow.shown(offer.instance()) + "' of "
                        + offer.provider().display() + " occurs twice for region '"
                        + CsvRow.shown(offer.region()) + "'; delete one");
            }
        }
        return new PriceCatalogue(offers);
    }

    private static final class BuiltIn {
        private static final PriceCatalogue CATALOGUE =
                parse(CsvTable.resource(PriceCatalogue.class, RESOURCE), DeviceCatalogue.builtIn());
    }

    /// Returns a copy with the offers of another catalogue, which take precedence if both have one of the same
    /// provider, name and region.
    public PriceCatalogue with(PriceCatalogue more) {
        Map<String, InstanceOffer> both = new LinkedHashMap<>(offers);
        both.putAll(more.offers);
        return new PriceCatalogue(both);
    }

    /// Returns all offers, in the order of the table.
    public List<InstanceOffer> offers() {
        return List.copyOf(offers.values());
    }

    /// Returns a copy without the offers whose prices are more than [#MAX_AGE_DAYS] days old.
    ///
    /// @since 0.3
    public PriceCatalogue fresh(LocalDate today) {
        Map<String, InstanceOffer> fresh = new LinkedHashMap<>(offers);
        fresh.values().removeIf(offer -> offer.isStale(today));
        return new PriceCatalogue(fresh);
    }

    /// Returns the offers whose prices are more than [#MAX_AGE_DAYS] days old.
    public List<InstanceOffer> listStale(LocalDate today) {
        return offers.values().stream().filter(offer -> offer.isStale(today)).toList();
    }

    private static List<InstanceOffer> read(String text, DeviceCatalogue devices) {
        List<InstanceOffer> offers = new ArrayList<>();
        for (CsvRow row : CsvTable.parse(text).checked(REQUIRED, OPTIONAL).rows()) {
            offers.add(offer(row, devices));
        }
        return offers;
    }

    static Provenance provenance(String source, LocalDate date) {
        return Provenance.of(
                "price catalogue, " + date + ": " + source, Provenance.Method.CATALOGUE, Provenance.Confidence.STATED);
    }

    private static InstanceOffer offer(CsvRow row, DeviceCatalogue devices) {
        LocalDate date = row.requireDate("date");
        Provenance source = provenance(row.require("source"), date);
        return new InstanceOffer(
                CloudProvider.find(row.require("provider"))
                        .orElseThrow(() -> row.unknown("provider", CloudProvider.texts())),
                row.require("instance"),
                row.require("region"),
                accelerator(row, devices),
                Math.toIntExact(row.requireCount("count", 1, MAX_DEVICES)),
                row.requirePositive("memory_gb_each", MAX_GIGABYTES),
                CsvRow.reading(row.findCount("vcpus", 1, MAX_PROCESSORS), source),
                CsvRow.reading(row.findPositive("ram_gb", MAX_HOST_GIGABYTES), source),
                row.find("interconnect").orElse("none"),
                new InstanceOffer.UsdPerHour(row.requirePositive("price_usd_hour_on_demand", MAX_DOLLARS)),
                CsvRow.reading(
                        row.findPositive("price_usd_hour_spot", MAX_DOLLARS).map(InstanceOffer.UsdPerHour::new),
                        source),
                row.require("source"),
                date,
                row.orEmpty("note"));
    }

    private static String accelerator(CsvRow row, DeviceCatalogue devices) {
        String id = row.require("accelerator");
        return devices.find(id)
                .map(DeviceEntry::id)
                .orElseThrow(() -> row.error("no device is called '" + CsvRow.shown(id)
                        + "'; write a device_id of the device catalogue, or add the device to your own"));
    }

    /// The age of prices on a given day. Immutable.
    ///
    /// @param oldest day of the oldest price
    /// @param newest day of the newest price
    /// @param today current day
    /// @since 0.1
    public record PriceAge(LocalDate oldest, LocalDate newest, LocalDate today) {
        /// Returns the age of one price.
        public static PriceAge of(InstanceOffer offer, LocalDate today) {
            return new PriceAge(offer.date(), offer.date(), today);
        }

        /// Returns the age of several prices.
        ///
        /// @throws IllegalArgumentException if there is none
        public static PriceAge of(Collection<InstanceOffer> offers, LocalDate today) {
            if (offers.isEmpty()) {
                throw new IllegalArgumentException("no price has an age");
            }
            Comparator<LocalDate> byDay = Comparator.naturalOrder();
            return new PriceAge(
                    offers.stream().map(InstanceOffer::date).min(byDay).orElseThrow(),
                    offers.stream().map(InstanceOffer::date).max(byDay).orElseThrow(),
                    today);
        }

        /// Returns the days since the oldest; 0 if it is in the future.
        public long days() {
            return Math.max(0, ChronoUnit.DAYS.between(oldest, today));
        }

        /// Reports whether the oldest is too old to be trusted: more than [#MAX_AGE_DAYS] days.
        public boolean isStale() {
            return days() > MAX_AGE_DAYS;
        }

        /// Returns the age as text behind "a price" or "prices": `of 2025-11-18, 365 days old: stale (more than 90
        /// days)`.
        public String display() {
            boolean isOneDay = oldest.equals(newest);
            if (oldest.isAfter(today)) {
                return "of " + oldest + (isOneDay ? "" : " to " + newest) + ", which is in the future";
            }
            return "of " + oldest + (isOneDay ? "" : " to " + newest) + ", " + (isOneDay ? "" : "up to ") + days()
                    + (days() == 1 ? " day old" : " days old")
                    + (isStale() ? ": stale (more than " + MAX_AGE_DAYS + " days)" : "");
        }
    }
}
