// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.evidence.measured.MeasuredTables;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.cost.Parallelism;
import java.util.Arrays;
import java.util.List;

/// The launch of prefill and decode workers by a benchmark, from its scripts: a table. Immutable.
///
/// @param prefill the prefill workers
/// @param decode the workers that decode
/// @param draft draft tokens of each step; 0 for none
/// @param isNarrowCache true if the KV cache is kept in 8 bits
record DisaggregatedLaunch(Side prefill, Side decode, int draft, boolean isNarrowCache) {
    private static final List<CsvRow> ROWS = CsvTable.parse(
                    CsvTable.resource(MeasuredTables.class, "disaggregated-launches.csv"))
            .rows();
    private static final long MOST = 1_000_000;

    /// Identical workers.
    ///
    /// @param workers number of workers
    /// @param tokens largest number of tokens of a step of one attention rank; 0 if the engine decides
    /// @param sequences largest number of sequences of one attention rank; 0 if the engine decides
    record Side(int workers, Parallelism layout, int tokens, int sequences) {
        private static Side of(CsvRow row, String side) {
            return new Side(
                    count(row, side + "_workers"),
                    new Parallelism(count(row, side + "_tp"), 1, count(row, side + "_ep"), count(row, side + "_dp")),
                    row.find(side + "_tokens").isEmpty() ? 0 : count(row, side + "_tokens"),
                    count(row, side + "_sequences"));
        }

        private static int count(CsvRow row, String column) {
            return (int) row.requireCount(column, 0, MOST);
        }

        /// Reports whether it has the layout that a row states.
        private boolean isLike(Side said) {
            boolean isCounted = said.workers > 0;
            return layout.devices() == said.layout.devices()
                    && (!isCounted
                            || (workers == said.workers && layout.attentionDp() > 1 == said.layout.attentionDp() > 1));
        }
    }

    /// The facts of a row by which its launch is found.
    ///
    /// @param model id in the catalogue
    /// @param day day of the measurement, as in 2026-02-07; blank if unknown
    /// @param prefill the prefill workers of the row; 0 workers if it does not state their number
    /// @param decode the decode workers, likewise
    record Wanted(
            String engine,
            String model,
            String format,
            String device,
            int input,
            int output,
            int users,
            String day,
            Side prefill,
            Side decode) {
        /// Reports whether the row states the number of workers.
        boolean isCounted() {
            return prefill.workers > 0 && decode.workers > 0;
        }
    }

    /// Returns all launches that a row may be of; those of its day if there are any.
    static List<DisaggregatedLaunch> list(Wanted wanted) {
        List<CsvRow> all = ROWS.stream().filter(row -> isOf(row, wanted)).toList();
        List<CsvRow> ofDay = all.stream()
                .filter(row -> row.require("since").compareTo(wanted.day) <= 0
                        && row.require("until").compareTo(wanted.day) >= 0)
                .toList();
        return (ofDay.isEmpty() ? all : ofDay)
                .stream().map(DisaggregatedLaunch::of).toList();
    }

    private static DisaggregatedLaunch of(CsvRow row) {
        return new DisaggregatedLaunch(
                Side.of(row, "prefill"),
                Side.of(row, "decode"),
                Side.count(row, "draft"),
                row.orEmpty("kv").equals("fp8"));
    }

    private static boolean isOf(CsvRow row, Wanted wanted) {
        // DeepSeek's two names have one architecture, and rows use either.
        String model = wanted.model.replace("deepseek-v3", "deepseek-r1");
        // Rows with numbers of workers are of launches without draft tokens, which tells them apart.
        return row.require("engine").equals(wanted.engine)
                && row.require("model").equals(model)
                && row.require("format").equals(wanted.format)
                && row.require("device").equals(wanted.device)
                && Side.count(row, "input") == wanted.input
                && Side.count(row, "output") == wanted.output
                && Arrays.asList(row.require("users").split(" ")).contains(Integer.toString(wanted.users))
                && (!wanted.isCounted() || Side.count(row, "draft") == 0)
                && Side.of(row, "prefill").isLike(wanted.prefill)
                && Side.of(row, "decode").isLike(wanted.decode);
    }
}
