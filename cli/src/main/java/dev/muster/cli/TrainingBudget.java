package dev.muster.cli;

import dev.muster.cli.render.Printable;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.search.RentalOffers;
import dev.muster.plan.training.TrainingAnswer;
import dev.muster.plan.training.TrainingLimits;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// `muster train --tokens`: how much is trained, and the most that it may take.
final class TrainingBudget {
    static final OptionSpec TOKENS = OptionSpec.value(
            "tokens", "COUNT", "tokens of the whole training, such as 300B or 15T: tells days, energy and cost");
    static final OptionSpec DEADLINE =
            OptionSpec.value("deadline", "TIME", "the most time for those tokens, such as 30d or 12h");
    static final OptionSpec BUDGET =
            OptionSpec.value("budget", "USD", "the most dollars for those tokens, were the machines rented on demand");

    static final List<OptionSpec> OPTIONS = List.of(TOKENS, DEADLINE, BUDGET, Catalogues.PRICES);

    private static final Duration LEAST_TIME = Duration.ofMinutes(1);
    private static final Duration MOST_TIME = Duration.ofDays(3650);
    private static final int MAX_DIGITS = 12;
    private static final double MOST_TOKENS = 1e18;
    private static final double MOST_USD = 1e12;

    private TrainingBudget() {}

    /// What is said about the whole training.
    ///
    /// @throws UsageException if an option makes no sense
    static TrainingLimits limits(Arguments arguments) {
        if (!arguments.has(TOKENS)) {
            CommonOptions.refuse(
                    arguments, List.of(DEADLINE, BUDGET), "a whole training has --tokens, which nobody gave");
            return TrainingLimits.NONE;
        }
        return new TrainingLimits(
                tokens(arguments.find(TOKENS).orElseThrow()),
                arguments
                        .find(DEADLINE)
                        .map(text -> (double) DurationGrammar.parse(DEADLINE, text, LEAST_TIME, MOST_TIME)
                                .toSeconds())
                        .orElse(Double.POSITIVE_INFINITY),
                arguments.find(BUDGET).map(TrainingBudget::dollars).orElse(Double.POSITIVE_INFINITY));
    }

    /// What machines cost, where the whole training is asked for or a goal of money.
    static RentalOffers offers(Arguments arguments, DeviceCatalogue devices) {
        return arguments.has(TOKENS)
                ? RentalOffers.of(Catalogues.prices(arguments, devices), devices)
                : RentalOffers.NONE;
    }

    /// Says so where the price that an answer rests on is old.
    static void sayStale(TrainingAnswer answer, Session session) {
        if (answer.first().rental().find().stream()
                .anyMatch(rental -> rental.offer().isStale(session.today()))) {
            session.note("muster: the price that this rests on is more than " + PriceCatalogue.MAX_AGE_DAYS
                    + " days old; look it up, or give your own with --prices FILE");
        }
    }

    private static double tokens(String text) {
        double unit = text.isEmpty()
                ? 1
                : switch (text.charAt(text.length() - 1)) {
                    case 'K', 'k' -> 1e3;
                    case 'M', 'm' -> 1e6;
                    case 'B', 'b', 'G', 'g' -> 1e9;
                    case 'T', 't' -> 1e12;
                    default -> 1;
                };
        String digits = unit == 1 ? text : text.substring(0, text.length() - 1);
        double tokens = unit * plain(digits).orElse(0.0);
        if (tokens >= 1 && tokens <= MOST_TOKENS) {
            return tokens;
        }
        throw new UsageException("--tokens is a number of tokens from 1 to 10^18, such as 300B or 15T, not '"
                + Printable.of(text) + "'");
    }

    private static double dollars(String text) {
        return plain(text)
                .filter(usd -> usd > 0 && usd <= MOST_USD)
                .orElseThrow(() -> new UsageException(
                        "--budget is dollars above 0, such as 500 or 120000, not '" + Printable.of(text) + "'"));
    }

    private static Optional<Double> plain(String text) {
        return text.length() <= MAX_DIGITS && text.matches("[0-9]+(\\.[0-9]+)?")
                ? Optional.of(new BigDecimal(text).doubleValue())
                : Optional.empty();
    }
}
