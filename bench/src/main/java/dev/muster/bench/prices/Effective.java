// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;

import dev.muster.core.json.DocumentException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Prices of one thing, each with the time from which it holds. Files have those to come beside those of today.
/// Confined to one thread.
final class Effective {
    private final List<Price> prices = new ArrayList<>();

    private record Price(BigDecimal amount, Instant since) {}

    /// @param since the time from which it holds, as in `2026-11-01T00:00:00Z`
    void add(BigDecimal amount, String since) {
        if (amount.signum() < 0) {
            throw DocumentException.of(WRONG_VALUE, "a price is below 0: " + amount);
        }
        prices.add(new Price(amount, time(since)));
    }

    /// The prices of the newest that hold on a day; several where the file contradicts itself. Prices of 0, which
    /// stand for what was paid in another way, do not count.
    List<BigDecimal> on(LocalDate day) {
        Instant end = day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
        List<Price> holding = prices.stream()
                .filter(price -> price.since().isBefore(end) && price.amount().signum() > 0)
                .toList();
        Optional<Instant> newest = holding.stream().map(Price::since).max(Instant::compareTo);
        return holding.stream()
                .filter(price -> price.since().equals(newest.orElseThrow()))
                .map(price -> price.amount().stripTrailingZeros())
                .distinct()
                .toList();
    }

    static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw DocumentException.of(WRONG_VALUE, "'" + text + "' is not a time as in 2026-11-01T00:00:00Z");
        }
    }
}
