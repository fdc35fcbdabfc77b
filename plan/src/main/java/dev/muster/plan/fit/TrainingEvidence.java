package dev.muster.plan.fit;

import dev.muster.plan.accuracy.MeasuredTables;
import dev.muster.plan.table.CsvTable;
import dev.muster.plan.training.TrainingPrecision;
import java.util.HashSet;
import java.util.Set;

/// Which frameworks were measured on which devices, in what numbers.
///
/// @since 0.1
public final class TrainingEvidence {
    private TrainingEvidence() {}

    /// Whether a framework was measured on a device.
    ///
    /// @param framework its name in tables of coefficients
    /// @param device its short name in the device catalogue
    /// @param precision what products compute in
    public static boolean has(String framework, String device, TrainingPrecision precision) {
        return Table.MEASURED.contains(key(framework, device, precision));
    }

    private static String key(String framework, String device, TrainingPrecision precision) {
        return framework + " " + device + " " + precision.label();
    }

    /// Read when somebody asks first.
    private static final class Table {
        static final Set<String> MEASURED = read();

        private static Set<String> read() {
            Set<String> measured = new HashSet<>();
            String text = MeasuredTables.builtIn().find(MeasuredTables.TRAINING).orElseThrow();
            CsvTable.parse(text).rows().forEach(row -> {
                TruthRow truth = new TruthRow(row, "");
                TrainingCases.findPrecision(truth.text("precision"))
                        .ifPresent(precision ->
                                measured.add(key(TrainingCases.framework(truth), truth.text("device"), precision)));
            });
            return Set.copyOf(measured);
        }
    }
}
