// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;

/// How old prices are on a given day. Immutable.
///
/// @param oldest the day of the oldest of them
/// @param newest the day of the newest
/// @param today the day on which they are looked at
/// @since 0.1
public record PriceAge(LocalDate oldest, LocalDate newest, LocalDate today) {
    /// The age of one price.
    public static PriceAge of(InstanceOffer offer, LocalDate today) {
        return new PriceAge(offer.date(), offer.date(), today);
    }

    /// The age of several prices.
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

    /// Days since the oldest; 0 where it is of a day to come.
    public long days() {
        return Math.max(0, ChronoUnit.DAYS.between(oldest, today));
    }

    /// Whether the oldest is too old to be trusted: more than [PriceCatalogue#MAX_AGE_DAYS] days.
    public boolean isStale() {
        return days() > PriceCatalogue.MAX_AGE_DAYS;
    }

    /// The same for people, to stand behind "a price" or "prices": `of 2025-11-18, 365 days old: stale (more than 90
    /// days)`.
    public String display() {
        boolean isOneDay = oldest.equals(newest);
        return "of " + oldest + (isOneDay ? "" : " to " + newest) + ", " + (isOneDay ? "" : "up to ") + days()
                + (days() == 1 ? " day old" : " days old")
                + (isStale() ? ": stale (more than " + PriceCatalogue.MAX_AGE_DAYS + " days)" : "");
    }
}
