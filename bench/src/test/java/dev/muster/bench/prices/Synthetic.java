// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import dev.muster.plan.catalogue.CloudProvider;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Answers that were written by hand in the form that providers publish, with the traps of real ones.
final class Synthetic {
    static final Path FOLDER = Path.of("src/test/resources/dev/muster/bench/prices/synthetic");
    static final LocalDate DAY = LocalDate.of(2026, 11, 12);

    private Synthetic() {}

    static byte[] file(String name) throws IOException {
        return Files.readAllBytes(FOLDER.resolve(name));
    }

    static List<Machine> machines(CloudProvider provider, String region) {
        return Machine.builtIn().stream()
                .filter(machine -> machine.isOf(provider) && machine.region().equals(region))
                .toList();
    }

    /// Instance to `ON-DEMAND SPOT` of those that are listed.
    static Map<String, String> listed(Map<Machine, Quote> quotes) {
        Map<String, String> found = new TreeMap<>();
        quotes.forEach((machine, quote) -> {
            if (quote instanceof Quote.Listed price) {
                found.put(
                        machine.instance(),
                        plain(price.onDemand())
                                + price.spot().map(spot -> " " + plain(spot)).orElse(""));
            }
        });
        return found;
    }

    /// Instance to the reason, of those that are not.
    static Map<String, String> unlisted(Map<Machine, Quote> quotes) {
        Map<String, String> found = new TreeMap<>();
        quotes.forEach((machine, quote) -> {
            if (quote instanceof Quote.Unlisted(String why)) {
                found.put(machine.instance(), why);
            }
        });
        return found;
    }

    private static String plain(BigDecimal price) {
        return price.stripTrailingZeros().toPlainString();
    }
}
