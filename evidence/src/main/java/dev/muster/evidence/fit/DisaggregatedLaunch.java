// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.evidence.measured.MeasuredTables;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.cost.StepLayout;
import java.util.Arrays;
import java.util.List;

/// How a benchmark launched prefill and decode on workers of their own, as its scripts say: a table. Immutable.
///
/// @param prefill the workers that read prompts
/// @param decode the workers that decode
/// @param draft tokens that are drafted for each step; 0 for none
/// @param isNarrowCache whether the KV cache is kept in 8 bits
record DisaggregatedLaunch(Side prefill, Side decode, int draft, boolean isNarrowCache) {
    private static final List<CsvRow> ROWS = CsvTable.parse(
                    CsvTable.resource(MeasuredTables.class, "disaggregated-launches.csv"))
            .rows();
    private static final long MOST = 1_000_000;

    /// Workers that are alike.
    ///
    /// @param workers how many there are
    /// @param tokens tokens of a step of one attention rank at most; 0 where the engine decides
    /// @param sequences sequences of one attention rank at most; 0 where the engine decides
    record Side(int workers, StepLayout layout, int tokens, int sequences) {
        private static Side of(CsvRow row, String side) {
            return new Side(
                    count(row, side + "_workers"),
                    new StepLayout(count(row, side + "_tp"), 1, count(row, side + "_ep"), count(row, side + "_dp")),
                    row.find(side + "_tokens").isEmpty() ? 0 : count(row, side + "_tokens"),
                    count(row, side + "_sequences"));
        }

        private static int count(CsvRow row, String column) {
            return (int) row.requireCount(column, 0, MOST);
        }

        /// Whether it is as wide as a row says.
        private boolean isLike(Side said) {
            boolean isCounted = said.workers > 0;
            return layout.devices() == said.layout.devices()
                    && (!isCounted
                            || (workers == said.workers
                                    && layout.attentionReplicas() > 1 == said.layout.attentionReplicas() > 1));
        }
    }

    /// What a row asks for.
    ///
    /// @param model id in the catalogue
    /// @param day when it was measured, as in 2026-02-07; blank where not known
    /// @param prefill as the row says; 0 workers where it does not say how many
    /// @param decode the same
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
        /// Whether the row says how many workers there were.
        boolean isCounted() {
            return prefill.workers > 0 && decode.workers > 0;
        }
    }

    /// All launches that a row may be of; those of its day where there are any.
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
        // DeepSeek's two names are of one architecture, and rows take the one for the other.
        String model = wanted.model.replace("deepseek-v3", "deepseek-r1");
        // Rows that count workers are of launches without drafts: the others are told apart by it alone.
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
