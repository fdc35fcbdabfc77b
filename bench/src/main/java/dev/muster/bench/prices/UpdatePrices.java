// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import dev.muster.model.CatalogueException;
import dev.muster.plan.catalogue.CloudProvider;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Writes the price catalogue anew from the providers' own price files. Nothing is written unless every provider that
/// was asked could be read to the end.
public final class UpdatePrices {
    private static final List<CloudProvider> PROVIDERS =
            List.of(CloudProvider.AWS, CloudProvider.AZURE, CloudProvider.GCP);
    private static final String USAGE =
            "usage: scripts/update-prices [aws] [azure] [gcp] [--from DIR --date YYYY-MM-DD] [--to FILE]";
    private static final int USAGE_ERROR = 64;
    /// An offer file has hundreds of megabytes, and there is one for each region.
    private static final long MOST_MINUTES = 60;

    private final PrintStream errors;

    UpdatePrices(PrintStream errors) {
        this.errors = errors;
    }

    /// Updates.
    ///
    /// @param arguments the table, then what the script was given
    public static void main(String[] arguments) throws InterruptedException {
        String key = Optional.ofNullable(System.getenv("GOOGLE_API_KEY")).orElse("");
        LocalDate today = LocalDate.now(Clock.system(ZoneOffset.UTC));
        ExecutorService worker = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("update-prices").factory());
        try {
            System.exit(worker.submit(() -> new UpdatePrices(System.err)
                            .run(List.of(arguments), today, LiveAnswers.of(LiveAnswers.HOSTS, key)))
                    .get(MOST_MINUTES, TimeUnit.MINUTES));
        } catch (TimeoutException e) {
            System.err.println("update-prices: nothing was written: it took more than " + MOST_MINUTES + " minutes");
            System.exit(1);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /// Does what the words ask for, and gives the exit code.
    ///
    /// @param live the providers themselves
    int run(List<String> arguments, LocalDate today, Answers live) {
        PriceRequest asked;
        try {
            asked = PriceRequest.parse(arguments, today, live);
        } catch (IllegalArgumentException e) {
            errors.println("update-prices: " + e.getMessage());
            errors.println(USAGE);
            return USAGE_ERROR;
        }
        try {
            update(asked);
            return 0;
        } catch (NoSuchFileException e) {
            errors.println("update-prices: nothing was written: file '" + e.getFile() + "' not found");
        } catch (IOException | IllegalArgumentException | CatalogueException e) {
            errors.println("update-prices: nothing was written: " + e.getMessage());
        }
        return 1;
    }

    private void update(PriceRequest asked) throws IOException {
        String table = Files.readString(asked.table());
        PriceUpdate update = new PriceUpdate(Machine.builtIn(), asked.day());
        Map<Machine, Quote> quotes = new LinkedHashMap<>();
        for (CloudProvider provider : asked.providers()) {
            quotes.putAll(update.read(provider, asked.answers()));
        }
        write(update.apply(table, quotes), asked.to());
        List<String> unlisted = update.unlisted(quotes);
        unlisted.forEach(sentence -> errors.println("update-prices: " + sentence + "; what was known of it is kept"));
        errors.println("update-prices: " + (quotes.size() - unlisted.size()) + " of " + quotes.size()
                + " prices are of " + asked.day());
    }

    /// Beside the table first, so that it is there as a whole at any time.
    private static void write(String text, Path file) throws IOException {
        Path target = file.toAbsolutePath();
        Path beside = target.resolveSibling(target.getFileName() + ".new");
        try {
            Files.writeString(beside, text);
            Files.move(beside, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new IOException("'" + file + "' is not in a folder that can be written to", e);
        }
    }

    /// The options of the command line.
    ///
    /// @param table the catalogue as it is
    /// @param to the file to write
    /// @param providers the providers to ask
    /// @param answers the source of their answers
    /// @param day the day on which they were given
    private record PriceRequest(Path table, Path to, List<CloudProvider> providers, Answers answers, LocalDate day) {
        private static PriceRequest parse(List<String> arguments, LocalDate today, Answers live) {
            if (arguments.isEmpty()) {
                throw new IllegalArgumentException("the table is missing");
            }
            Map<String, String> options = new LinkedHashMap<>();
            List<CloudProvider> providers = new ArrayList<>();
            for (int at = 1; at < arguments.size(); at++) {
                String word = arguments.get(at);
                if (List.of("--from", "--to", "--date").contains(word) && at + 1 < arguments.size()) {
                    options.put(word, arguments.get(++at));
                } else {
                    providers.add(provider(word));
                }
            }
            if (options.containsKey("--from") != options.containsKey("--date")) {
                throw new IllegalArgumentException("--from DIR and --date, the day of its answers, come together");
            }
            Path table = Path.of(arguments.getFirst());
            return new PriceRequest(
                    table,
                    Optional.ofNullable(options.get("--to")).map(Path::of).orElse(table),
                    providers.isEmpty() ? PROVIDERS : providers,
                    options.containsKey("--from") ? new RecordedAnswers(Path.of(options.get("--from"))) : live,
                    options.containsKey("--date") ? day(options.get("--date")) : today);
        }

        private static CloudProvider provider(String word) {
            return PROVIDERS.stream()
                    .filter(one -> one.text().equals(word))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("'" + word + "' is neither aws, azure nor gcp"));
        }

        private static LocalDate day(String text) {
            try {
                return LocalDate.parse(text);
            } catch (DateTimeParseException e) {
                throw new IllegalArgumentException("'" + text + "' is not a day as in 2026-11-01", e);
            }
        }
    }
}
