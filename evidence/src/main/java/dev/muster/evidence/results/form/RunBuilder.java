// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results.form;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Figure;
import dev.muster.evidence.measured.MeasuredRun.Load;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Origin;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// A builder of runs from the values of a file; empty, blank and non-positive values are left out. Confined to one
/// thread.
public final class RunBuilder {
    /// The longest name; longer texts are not names.
    private static final int LONGEST_FACT = 200;

    private final String tool;
    private final Map<Fact, String> facts = new EnumMap<>(Fact.class);
    private final List<Figure> figures = new ArrayList<>();
    private Origin origin = Origin.MEASURED;

    private RunBuilder(String tool) {
        this.tool = tool;
    }

    public static RunBuilder of(String tool) {
        return new RunBuilder(tool);
    }

    public RunBuilder say(Fact fact, String text) {
        String plain = text.strip();
        if (!plain.isEmpty() && plain.length() <= LONGEST_FACT) {
            facts.put(fact, plain);
        }
        return this;
    }

    public RunBuilder say(Fact fact, Optional<String> text) {
        text.ifPresent(known -> say(fact, known));
        return this;
    }

    public RunBuilder say(Fact fact, OptionalDouble number) {
        if (number.isPresent() && number.getAsDouble() > 0) {
            facts.put(fact, Numbers.text(number.getAsDouble()));
        }
        return this;
    }

    public RunBuilder say(Fact fact, double number) {
        return say(fact, OptionalDouble.of(number));
    }

    public RunBuilder load(Load load) {
        facts.put(Fact.LOAD, load.text());
        return this;
    }

    /// Sets the load: a number of requests in flight, or a rate, or neither: all at once.
    public RunBuilder load(OptionalDouble concurrency, OptionalDouble rate) {
        say(Fact.CONCURRENCY, concurrency).say(Fact.RATE, rate);
        boolean isPaced = rate.isPresent() && rate.getAsDouble() > 0;
        boolean isClosed = concurrency.isPresent() && concurrency.getAsDouble() > 0;
        return load(isPaced ? Load.RATE : isClosed ? Load.CLOSED_LOOP : Load.BURST);
    }

    public RunBuilder origin(Origin kind) {
        origin = kind;
        return this;
    }

    public RunBuilder figure(Metric metric, Statistic statistic, OptionalDouble value, double scale) {
        return value.isPresent() ? figure(metric, statistic, value.getAsDouble() * scale) : this;
    }

    public RunBuilder figure(Metric metric, Statistic statistic, double value) {
        if (value > 0
                && value < Double.POSITIVE_INFINITY
                && find(metric, statistic).isEmpty()) {
            figures.add(new Figure(metric, statistic, value));
        }
        return this;
    }

    public RunBuilder mean(Metric metric, OptionalDouble value) {
        return figure(metric, Statistic.MEAN, value, 1);
    }

    public RunBuilder mean(Metric metric, double value) {
        return figure(metric, Statistic.MEAN, value);
    }

    /// Adds mean, median, p90 and p99 of single values.
    public RunBuilder figures(Metric metric, List<Double> values) {
        return figure(metric, Statistic.MEAN, Numbers.mean(values))
                .figure(metric, Statistic.MEDIAN, Numbers.median(values))
                .figure(metric, Statistic.P90, Numbers.quantile(values, 0.9))
                .figure(metric, Statistic.P99, Numbers.quantile(values, 0.99));
    }

    public OptionalDouble find(Metric metric, Statistic statistic) {
        for (Figure figure : figures) {
            if (figure.metric() == metric && figure.statistic() == statistic) {
                return OptionalDouble.of(figure.value());
            }
        }
        return OptionalDouble.empty();
    }

    public Optional<String> find(Fact fact) {
        return Optional.ofNullable(facts.get(fact));
    }

    public boolean hasFigures() {
        return !figures.isEmpty();
    }

    /// Returns the run, which has to have figures.
    ///
    /// @throws ResultsException with a reason if it has none
    public List<MeasuredRun> runs(String reason) {
        if (figures.isEmpty()) {
            throw ResultsException.of(reason);
        }
        return List.of(build());
    }

    public MeasuredRun build() {
        return new MeasuredRun(tool, origin, facts, figures);
    }
}
