// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.evidence.measured.MeasuredTables;
import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import dev.muster.plan.time.Coefficient;
import dev.muster.plan.time.Coefficients;
import java.util.List;
import java.util.TreeSet;

/// The measured combinations of framework and device, with their numbers. The fit writes it beside the coefficients:
/// the measurements themselves would take a start too long to read (docs/decisions/0004).
public final class TrainingEvidence {
    private TrainingEvidence() {}

    /// Returns the combinations in tables of measurements, for the table of coefficients.
    public static List<Coefficient> list(MeasuredTables tables) {
        TreeSet<String> measured = new TreeSet<>();
        for (CsvRow row : CsvTable.parse(tables.find(MeasuredTables.TRAINING).orElseThrow())
                .rows()) {
            TruthRow truth = new TruthRow(row, "");
            TrainingCases.findPrecision(truth.text("precision"))
                    .ifPresent(precision -> measured.add(Coefficients.measuredTraining(
                            TrainingCases.framework(truth), truth.text("device"), precision)));
        }
        return measured.stream().map(name -> new Coefficient(name, 1, 1, 0)).toList();
    }
}
