package dev.muster.plan.fit;

import dev.muster.plan.accuracy.MeasuredTables;
import dev.muster.plan.simulate.SchedulerOption;
import dev.muster.plan.simulate.SchedulerPolicy;
import dev.muster.plan.table.CsvRow;
import dev.muster.plan.table.CsvTable;
import java.util.List;

/// Options by which a benchmark launched its servers, as its scripts say: a table. Later rows override earlier ones.
final class LaunchOptions {
    private static final List<CsvRow> ROWS =
            CsvTable.parse(CsvTable.resource(MeasuredTables.class, "launches.csv")).rows();

    private LaunchOptions() {}

    /// The policy of a server that was launched for a row.
    static SchedulerPolicy apply(TruthRow row, SchedulerPolicy usual) {
        SchedulerPolicy policy = usual;
        for (CsvRow launch : ROWS) {
            if (isOf(launch, row)) {
                policy = SchedulerOption.apply(policy, launch.require("option"), launch.require("value"));
            }
        }
        return policy;
    }

    private static boolean isOf(CsvRow launch, TruthRow row) {
        boolean isApart = row.degree("attn_dp") > 1;
        return launch.require("engine").equals(row.text("engine"))
                && names(launch.orEmpty("models"), row.text("model"))
                && names(launch.orEmpty("formats"), row.text("weight_dtype"))
                && names(launch.orEmpty("devices"), row.text("device"))
                && names(launch.orEmpty("tp"), row.text("tp"))
                && names(launch.orEmpty("input"), row.text("input_len"))
                && names(launch.orEmpty("output"), row.text("output_len"))
                && names(launch.orEmpty("attn_dp"), isApart ? "yes" : "no")
                && row.number("concurrency") >= Double.parseDouble(launch.require("users_from"));
    }

    /// Whether a list of names has one; a blank list has all.
    private static boolean names(String list, String name) {
        return list.isEmpty() || List.of(list.split(" ")).contains(name);
    }
}
