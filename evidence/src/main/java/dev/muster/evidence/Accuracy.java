// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence;

import dev.muster.evidence.fit.LeftOut;
import dev.muster.evidence.fit.MeasuredCases;
import dev.muster.evidence.fit.Predictions;
import dev.muster.evidence.measured.AccuracyReport;
import dev.muster.evidence.measured.MeasuredTables;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.time.CoefficientTable;
import java.util.function.BiConsumer;

/// Compares the planner's predictions with measurements. Immutable.
///
/// @since 0.1
public final class Accuracy {
    private final MeasuredCases cases;

    private Accuracy(MeasuredCases cases) {
        this.cases = cases;
    }

    /// Creates a comparison with some measurements.
    ///
    /// @throws dev.muster.model.CatalogueException if a table cannot be read
    public static Accuracy of(MeasuredTables tables, ModelCatalogue models, DeviceCatalogue devices) {
        return new Accuracy(MeasuredCases.of(tables, models, devices));
    }

    /// Returns the accuracy of the coefficients that come with Muster.
    public AccuracyReport report() {
        return Predictions.report(cases, CoefficientTable.builtIn());
    }

    /// Returns the accuracy of coefficients that were fitted without the group of each row. Takes half a minute.
    ///
    /// @param progress receives the number of finished fits and of all fits
    public AccuracyReport leavingOut(BiConsumer<Integer, Integer> progress) {
        CoefficientTable coefficients = CoefficientTable.builtIn();
        return Predictions.report(
                cases,
                coefficients,
                LeftOut.of(coefficients.beliefs(), cases.cases(), coefficients).predict(progress));
    }
}
