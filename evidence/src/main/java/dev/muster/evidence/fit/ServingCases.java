// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.evidence.fit.ServedRun.Figure;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.serving.ServingEngine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Rows of engines under load, with the latencies that users see. Confined to one thread.
final class ServingCases {
    /// From this day on the benchmark's scripts warm engines up.
    private static final String WARMED_UP = "2026-01-21";
    /// The weight of a time to the first token, which depends less on kernels than a time per token.
    private static final double FIRST_TOKEN_WEIGHT = 0.4;
    /// The weight of single runs, and of rows with few details.
    private static final double OTHER_WEIGHT = 0.25;
    /// The weight of a group with one row; more rows count as their square root.
    private static final double GROUP_WEIGHT = 4;

    /// More users than in any measurement.
    private static final int MOST_USERS = 100_000;
    private static final double MILLI = 1e3;
    /// Fewer requests per second than in any measurement.
    private static final double LEAST_RATE = 1e-3;

    private final MeasuredCases.Builder cases;
    private final Set<String> seen = new HashSet<>();
    private final List<Row> rows = new ArrayList<>();

    ServingCases(MeasuredCases.Builder cases) {
        this.cases = cases;
    }

    /// A predicted row.
    private record Row(TruthRow row, String group, ServedRun run, Figure figure) {
        String engine() {
            return row.text("engine");
        }

        boolean isFirstToken() {
            return figure.measuredClass() == MeasuredClass.SERVING_TTFT;
        }

        String series() {
            return String.join(
                    "|", group, engine(), row.text("input_len"), row.text("concurrency"), row.text("request_rate"));
        }
    }

    void add(TruthRow row) {
        boolean isContinuous = ServingEngine.find(row.text("engine"))
                .filter(ServingEngine::isContinuous)
                .isPresent();
        boolean isOpen = row.text("arrival").equals("poisson");
        if ((!row.text("arrival").equals("closed_loop") && !isOpen) || !isContinuous) {
            InferenceCases.add(row, cases);
            return;
        }
        double users = row.number("concurrency");
        if (isOpen && !(row.number("request_rate") >= LEAST_RATE && row.number("request_rate") <= MOST_USERS)) {
            cases.doubt(row.id(), "the row has no rate from " + LEAST_RATE + " to " + MOST_USERS + " requests/s");
        } else if (!isOpen && !(users >= 1 && users <= MOST_USERS)) {
            cases.doubt(row.id(), "the row has no number of users from 1 to " + MOST_USERS);
        } else if (row.text("note").startsWith("suspect")) {
            cases.doubt(row.id(), "the source itself is doubtful: " + row.text("note"));
        } else if (isCold(row)) {
            cases.doubt(row.id(), "the engine was not warmed up, and the mean includes compilation");
        } else if (!seen.add(signature(row))) {
            cases.doubt(row.id(), "another row is the same run");
        } else {
            Optional<Figure> figure = figure(row);
            Optional<DeviceFigures> device = figure.isEmpty() ? Optional.empty() : cases.findDevice(row);
            if (device.isPresent()) {
                InferenceCases.findModel(row, cases)
                        .ifPresent(model -> rows.add(
                                new Row(row, group(row), ServedRun.of(row, model, device.get()), figure.get())));
            }
        }
    }

    private static boolean isCold(TruthRow row) {
        return row.text("engine").equals("sglang")
                && row.text("metric").equals("ttft_ms")
                && ServedRun.isDrawn(row)
                && row.text("date").compareTo(WARMED_UP) < 0;
    }

    private Optional<Figure> figure(TruthRow row) {
        Optional<Figure> figure = Figure.find(row.text("metric"), row.text("stat"));
        if (figure.isEmpty()) {
            cases.refuse(
                    row.id(),
                    "the figure '" + row.text("metric") + "' of a load is not predicted as '" + row.text("stat") + "'");
        }
        return figure;
    }

    /// Returns the group; many runs are of both of DeepSeek's names of one architecture.
    private static String group(TruthRow row) {
        return row.text("group_id").replace("deepseek-r1", "deepseek-v3");
    }

    private static String signature(TruthRow row) {
        return String.join(
                "|",
                group(row),
                row.text("engine"),
                row.text("engine_version"),
                row.text("weight_dtype"),
                row.text("tp"),
                row.text("ep"),
                row.text("attn_dp"),
                row.text("concurrency"),
                row.text("arrival").equals("poisson") ? row.text("request_rate") + row.text("stat") : "",
                row.text("input_len"),
                row.text("output_len"),
                row.text("metric"),
                row.text("value"));
    }

    /// Refuses times to the first token of series in which one is shorter than the device can multiply a prompt: their
    /// prompts were cached, whatever the rows say. A series has one group, prompt and number of users.
    private void refuseCached() {
        Map<String, String> impossible = new HashMap<>();
        for (Row one : rows) {
            double least = one.run.leastFirstToken();
            if (one.isFirstToken() && one.row.number("value") < MILLI * least) {
                impossible.putIfAbsent(
                        one.series(),
                        String.format(
                                Locale.ROOT,
                                "prompts of the series were cached: row %s has %s ms, and at the peak of the data sheet"
                                        + " the products of its prompt take %.0f ms",
                                one.row.id(),
                                one.row.text("value"),
                                MILLI * least));
            }
        }
        rows.removeIf(one -> {
            String reason = one.isFirstToken() ? impossible.get(one.series()) : null;
            if (reason != null) {
                cases.doubt(one.row.id(), reason);
            }
            return reason != null;
        });
    }

    /// Adds all rows, and the throughput of rows that are two figures of one run.
    void finish() {
        refuseCached();
        Map<String, Integer> sizes = new HashMap<>();
        rows.forEach(one -> sizes.merge(key(one), 1, Integer::sum));
        Map<String, Row> firstTokens = new HashMap<>();
        for (Row one : rows) {
            double weight = GROUP_WEIGHT / Math.sqrt(sizes.getOrDefault(key(one), 1));
            if (one.run.isOpen()) {
                add(one, 0);
                continue;
            }
            double known = one.row.text("provenance").equals("community") || !ServedRun.isBenchmark(one.row)
                    ? OTHER_WEIGHT * weight
                    : weight;
            add(one, one.isFirstToken() ? FIRST_TOKEN_WEIGHT * known : known);
            if (one.figure == Figure.MEAN_TTFT) {
                firstTokens.put(one.row.text("ref"), one);
            }
        }
        for (Row one : rows) {
            Row first = firstTokens.get(one.row.text("ref"));
            if (one.figure == Figure.MEAN_TPOT && first != null) {
                addThroughput(one, first);
            }
        }
    }

    private static String key(Row one) {
        return one.group + "|" + one.engine() + "|" + one.figure;
    }

    private void add(Row one, double weight) {
        cases.add(new MeasuredCase(
                one.row.id(),
                one.group,
                one.figure.measuredClass(),
                one.engine(),
                one.row.number("value"),
                weight,
                DeployedRun.of(one.row, one.run.prediction(one.figure))));
    }

    /// Adds a throughput with weight 0, since it is not a measurement of its own.
    private void addThroughput(Row perToken, Row first) {
        double measured =
                perToken.run.throughput(first.row.number("value") / MILLI, perToken.row.number("value") / MILLI);
        cases.add(new MeasuredCase(
                perToken.row.id() + "/throughput",
                perToken.group,
                MeasuredClass.SERVING_THROUGHPUT,
                perToken.engine(),
                measured,
                0,
                perToken.run.prediction(Figure.USERS_THROUGHPUT)));
    }
}
