// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.evidence.measured.MeasuredTables;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.simulate.SchedulerOption;
import dev.muster.plan.simulate.SchedulerPolicy;
import java.util.List;
import java.util.Set;

/// Options by which a benchmark launched its servers, from its scripts: a table. Later rows override earlier ones.
final class LaunchOptions {
    private static final List<CsvRow> ROWS = CsvTable.parse(CsvTable.resource(MeasuredTables.class, "launches.csv"))
            .rows();

    private static final Set<String> LAYOUT = Set.of("ep-size", "enable-attention-dp");
    private static final int SLACK = 127;
    private static final int GRAIN = 64;

    private LaunchOptions() {}

    /// Returns the layout of the server that was launched for a row, if the scripts chose what the row does not
    /// state.
    static Parallelism layout(TruthRow row, Parallelism stated) {
        Parallelism layout = stated;
        for (CsvRow launch : ROWS) {
            if (!isOf(launch, row, stated)) {
                continue;
            }
            layout = switch (launch.require("option")) {
                case "ep-size" ->
                    new Parallelism(
                            layout.tp(), layout.pp(), Integer.parseInt(launch.require("value")), layout.attentionDp());
                case "enable-attention-dp" -> new Parallelism(1, layout.pp(), layout.ep(), layout.tp());
                default -> layout;
            };
        }
        return layout;
    }

    /// Returns the scheduling policy of a server that was launched for a row.
    static SchedulerPolicy apply(TruthRow row, Parallelism layout, SchedulerPolicy usual) {
        SchedulerPolicy policy = usual;
        for (CsvRow launch : ROWS) {
            String option = launch.require("option");
            if (isOf(launch, row, layout) && !LAYOUT.contains(option)) {
                policy = SchedulerOption.apply(policy, option, value(launch, row));
            }
        }
        return policy;
    }

    /// Returns a value; scripts give some servers room for one or two prompts beside all sequences in decode.
    private static String value(CsvRow launch, TruthRow row) {
        int input = row.count("input_len");
        return switch (launch.require("value")) {
            case "fitting" -> Integer.toString((row.count("concurrency") + input + SLACK) / GRAIN * GRAIN);
            case "two-prompts" -> Integer.toString(2 * input);
            default -> launch.require("value");
        };
    }

    private static boolean isOf(CsvRow launch, TruthRow row, Parallelism layout) {
        String until = launch.orEmpty("until");
        return launch.require("engine").equals(row.text("engine"))
                && names(launch.orEmpty("models"), row.text("model"))
                && names(launch.orEmpty("formats"), row.text("weight_dtype"))
                && names(launch.orEmpty("devices"), row.text("device"))
                && names(launch.orEmpty("tp"), row.text("tp"))
                && names(launch.orEmpty("input"), row.text("input_len"))
                && names(launch.orEmpty("output"), row.text("output_len"))
                && names(launch.orEmpty("attn_dp"), layout.attentionDp() > 1 ? "yes" : "no")
                && (until.isEmpty() || row.text("date").compareTo(until) <= 0)
                && row.number("concurrency") >= Double.parseDouble(launch.require("users_from"));
    }

    /// Reports whether a list of names has one; a blank list stands for all.
    private static boolean names(String list, String name) {
        return list.isEmpty() || List.of(list.split(" ")).contains(name);
    }
}
