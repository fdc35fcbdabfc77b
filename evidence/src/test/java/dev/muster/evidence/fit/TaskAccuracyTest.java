// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.evidence.measured.AccuracyReport;
import dev.muster.evidence.measured.AccuracyReport.ClassAccuracy;
import dev.muster.evidence.measured.MeasuredTables;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.time.CoefficientTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Predictions of models that do not chat, each group of rows by a fit that never saw it.
class TaskAccuracyTest {
    /// The largest median error of rows that were left out.
    private static final Map<MeasuredClass, Double> BARS = Map.of(
            MeasuredClass.ENCODER_TIME, 0.25, MeasuredClass.SPEECH_TIME, 0.25, MeasuredClass.DIFFUSION_TIME, 0.20);

    private static MeasuredCases cases() throws IOException {
        MeasuredTables outside =
                MeasuredTables.of(Map.of(MeasuredTables.OTHER, Files.readString(Path.of("../measurements/other.csv"))));
        MeasuredTables own = MeasuredTables.of(Map.of(
                MeasuredTables.OTHER,
                MeasuredTables.builtIn().find(MeasuredTables.OTHER).orElseThrow()));
        return MeasuredCases.of(own.with(outside), ModelCatalogue.builtIn(), DeviceCatalogue.builtIn());
    }

    @Test
    void groupsThatTheFitNeverSawArePredicted() throws IOException {
        MeasuredCases cases = cases();
        CoefficientTable coefficients = CoefficientTable.builtIn();
        LeftOut fit = LeftOut.of(coefficients.beliefs(), cases.cases(), coefficients);
        AccuracyReport report = Predictions.report(cases, coefficients, fit.predict());
        assertThat(report.classes()).hasSize(3);
        for (ClassAccuracy one : report.classes()) {
            assertThat(one.medianError()).as(one.toString()).isLessThan(BARS.get(one.measuredClass()));
            assertThat(one.coverage()).as(one.toString()).isBetween(0.70, 0.88);
        }
    }
}
