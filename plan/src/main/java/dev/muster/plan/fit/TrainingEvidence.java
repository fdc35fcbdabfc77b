// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.fit;

import dev.muster.plan.accuracy.MeasuredTables;
import dev.muster.plan.table.CsvRow;
import dev.muster.plan.table.CsvTable;
import dev.muster.plan.time.Coefficient;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.training.TrainingPrecision;
import java.util.List;
import java.util.TreeSet;

/// Which frameworks were measured on which devices, in what numbers. The fit writes it beside the coefficients: the
/// measurements themselves would take a start too long to read (docs/decisions/0004).
public final class TrainingEvidence {
    private TrainingEvidence() {}

    /// Whether a framework was measured on a device.
    ///
    /// @param framework its name in tables of coefficients
    /// @param device its short name in the device catalogue
    /// @param precision what products compute in
    public static boolean has(String framework, String device, TrainingPrecision precision, Coefficients coefficients) {
        return coefficients.has(name(framework, device, precision));
    }

    private static String name(String framework, String device, TrainingPrecision precision) {
        return Coefficients.INTERVAL + "training/measured/" + framework + "/" + device + "+" + precision.label();
    }

    /// What tables of measurements show, for the table of coefficients.
    public static List<Coefficient> list(MeasuredTables tables) {
        TreeSet<String> measured = new TreeSet<>();
        for (CsvRow row : CsvTable.parse(tables.find(MeasuredTables.TRAINING).orElseThrow())
                .rows()) {
            TruthRow truth = new TruthRow(row, "");
            TrainingCases.findPrecision(truth.text("precision"))
                    .ifPresent(precision ->
                            measured.add(name(TrainingCases.framework(truth), truth.text("device"), precision)));
        }
        return measured.stream().map(name -> new Coefficient(name, 1, 1, 0)).toList();
    }
}
