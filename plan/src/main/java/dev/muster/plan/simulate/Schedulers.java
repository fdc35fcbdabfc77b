// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.simulate.SchedulerPolicy.Prompts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The default scheduling of engines, by release and memory of the device: a table, with the place in the engine's
/// source for each row.
public final class Schedulers {
    private static final double GIB = 1L << 30;
    private static final int MOST = 1 << 20;
    private static final List<String> COLUMNS = List.of(
            "engine",
            "release",
            "memory_gib",
            "except",
            "prompts",
            "chunked",
            "token_budget",
            "max_sequences",
            "new_output_share",
            "running_output_share",
            "poll_steps",
            "wait_steps",
            "wait_share",
            "stream_interval",
            "source");

    private Schedulers() {}

    /// A row of the table.
    ///
    /// @param memory least bytes of a device
    /// @param except devices with this in their name are left out; blank for none
    private record Row(SchedulerPolicy policy, double memory, String except) {}

    /// Returns the policy of an engine; empty if none is known.
    ///
    /// @param release release; blank for the newest known
    /// @param device the device's name
    /// @param memory bytes of its memory
    public static Optional<SchedulerPolicy> find(String engine, String release, String device, double memory) {
        Row best = null;
        for (Row row : rows()) {
            boolean fits = row.policy.engine().equals(engine)
                    && (release.isEmpty() || compare(row.policy.release(), release) <= 0)
                    && row.memory <= memory
                    && (row.except.isEmpty() || !device.toLowerCase(Locale.ROOT).contains(row.except));
            if (fits && (best == null || isNewer(row, best))) {
                best = row;
            }
        }
        return Optional.ofNullable(best).map(Row::policy);
    }

    private static boolean isNewer(Row row, Row best) {
        int order = compare(row.policy.release(), best.policy.release());
        return order > 0 || (order == 0 && row.memory >= best.memory);
    }

    private static int compare(String one, String other) {
        return EngineRules.compareReleases(one, other);
    }

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        CsvTable table = CsvTable.parse(CsvTable.resource(Schedulers.class, "schedulers.csv"))
                .checked(COLUMNS, List.of());
        for (CsvRow row : table.rows()) {
            rows.add(new Row(policy(row), row.findNumber("memory_gib", MOST).orElse(0.0) * GIB, row.orEmpty("except")));
        }
        return rows;
    }

    private static SchedulerPolicy policy(CsvRow row) {
        return new SchedulerPolicy(
                row.require("engine"),
                row.require("release"),
                row.requireNamed("prompts", Prompts.values(), Prompts::label),
                isYes(row),
                (int) row.requireCount("token_budget", 1, MOST),
                (int) row.requireCount("max_sequences", 1, MOST),
                row.findNumber("new_output_share", 1).orElse(0.0),
                row.findNumber("running_output_share", 1).orElse(0.0),
                (int) row.requireCount("poll_steps", 1, MOST),
                (int) row.requireCount("wait_steps", 0, MOST),
                row.findNumber("wait_share", 1).orElse(0.0),
                (int) row.requireCount("stream_interval", 1, MOST),
                row.require("source"));
    }

    private static boolean isYes(CsvRow row) {
        return switch (row.require("chunked")) {
            case "yes" -> true;
            case "no" -> false;
            default -> throw row.unknown("chunked", List.of("yes", "no"));
        };
    }
}
