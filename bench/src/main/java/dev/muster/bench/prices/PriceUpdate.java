// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import dev.muster.bench.prices.Quote.Listed;
import dev.muster.bench.prices.Quote.Unlisted;
import dev.muster.core.json.DocumentException;
import dev.muster.core.text.CsvReader;
import dev.muster.plan.catalogue.CloudProvider;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// The price catalogue with new prices of some machines.
///
/// @param machines those that are looked for
/// @param day the day on which the answers were given
record PriceUpdate(List<Machine> machines, LocalDate day) {
    private static final List<String> PRICE_COLUMNS =
            List.of("price_usd_hour_on_demand", "price_usd_hour_spot", "source", "date", "note");
    private static final int DIGITS = 6;

    /// The quotes of a provider for its machines.
    ///
    /// @throws IOException if it cannot be read as a whole, with a sentence that names the provider
    Map<Machine, Quote> read(CloudProvider provider, Answers answers) throws IOException {
        List<Machine> own =
                machines.stream().filter(machine -> machine.isOf(provider)).toList();
        try {
            return switch (provider) {
                case AWS -> readRegions(own, answers);
                case AZURE -> AzurePages.read(answers.azure(own), own, day);
                case GCP -> GcpPages.read(answers.gcp(), own, day);
                default -> // too many to name: all others have no price file that is read
                    throw new IllegalArgumentException("no price file of " + provider.text() + " is read");
            };
        } catch (DocumentException e) {
            throw new IOException(provider.text() + ": " + e.getMessage(), e);
        }
    }

    private Map<Machine, Quote> readRegions(List<Machine> own, Answers answers) throws IOException {
        Map<Machine, Quote> quotes = new LinkedHashMap<>();
        for (String region : new TreeSet<>(own.stream().map(Machine::region).toList())) {
            List<Machine> there = own.stream()
                    .filter(machine -> machine.region().equals(region))
                    .toList();
            try (InputStream file = answers.aws(region)) {
                quotes.putAll(AwsOfferFile.read(file, region, there, day));
            } catch (DocumentException e) {
                throw new IOException("aws: the offer file of " + region + ": " + e.getMessage(), e);
            }
        }
        return quotes;
    }

    /// A table with new rows for the machines that are listed. All other rows stay as they are, and where they are;
    /// machines that are new to the table come behind the others of their provider.
    ///
    /// @throws IllegalArgumentException if the table does not have the columns of the price catalogue
    String apply(String table, Map<Machine, Quote> quotes) {
        List<String> lines = new ArrayList<>(table.lines().toList());
        List<String> columns = new ArrayList<>(Machine.COLUMNS);
        columns.addAll(PRICE_COLUMNS);
        if (lines.isEmpty() || !lines.getFirst().equals(String.join(",", columns))) {
            throw new IllegalArgumentException("the table has to have the columns " + String.join(",", columns));
        }
        for (Machine machine : machines) {
            if (quotes.get(machine) instanceof Listed listed) {
                place(lines, machine, row(machine, listed));
            }
        }
        String updated = String.join("\n", lines) + "\n";
        PriceCatalogue.parse(updated, DeviceCatalogue.builtIn());
        return updated;
    }

    /// A sentence for each machine whose row was kept or that has none.
    List<String> unlisted(Map<Machine, Quote> quotes) {
        List<String> sentences = new ArrayList<>();
        quotes.forEach((machine, quote) -> {
            if (quote instanceof Unlisted(String why)) {
                sentences.add(String.join(" ", machine.key()) + " " + why);
            }
        });
        return sentences;
    }

    private static void place(List<String> lines, Machine machine, String row) {
        int behind = lines.size();
        for (int line = 1; line < lines.size(); line++) {
            List<String> fields = CsvReader.fieldsOf(lines.get(line));
            if (fields.subList(0, machine.key().size()).equals(machine.key())) {
                lines.set(line, row);
                return;
            }
            if (fields.getFirst().equals(machine.key().getFirst())) {
                behind = line + 1;
            }
        }
        lines.add(behind, row);
    }

    private String row(Machine machine, Listed price) {
        List<String> fields = new ArrayList<>(machine.shape());
        fields.add(number(price.onDemand()));
        fields.add(price.spot().map(PriceUpdate::number).orElse(""));
        fields.add(price.source());
        fields.add(day.toString());
        fields.add(price.note());
        return String.join(",", fields.stream().map(PriceUpdate::field).toList());
    }

    private static String number(BigDecimal price) {
        return price.setScale(DIGITS, RoundingMode.HALF_UP).stripTrailingZeros().toPlainString();
    }

    private static String field(String text) {
        return text.contains(",") || text.contains("\"") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }
}
