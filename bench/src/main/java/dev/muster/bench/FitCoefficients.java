// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench;

import dev.muster.evidence.fit.LeftOut;
import dev.muster.evidence.fit.MeasuredCase;
import dev.muster.evidence.fit.MeasuredCases;
import dev.muster.evidence.fit.Predictions;
import dev.muster.evidence.fit.TrainingEvidence;
import dev.muster.evidence.measured.AccuracyReport;
import dev.muster.evidence.measured.AccuracyReport.ClassAccuracy;
import dev.muster.evidence.measured.MeasuredTables;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.time.Coefficient;
import dev.muster.plan.time.CoefficientTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Fits the coefficients of the cost model to the measurements that come with Muster and to those of a folder, and
/// writes
/// the table anew: the same beliefs, new values, and intervals from predictions that never saw their rows.
public final class FitCoefficients {
    private static final int PERCENT = 100;

    private FitCoefficients() {}

    /// Fits and writes.
    ///
    /// @param arguments the table to write, and the folder of measurements that do not come with Muster
    public static void main(String[] arguments) throws IOException {
        MeasuredTables tables = MeasuredTables.builtIn().with(read(Path.of(arguments[1])));
        MeasuredCases cases = MeasuredCases.of(tables, ModelCatalogue.builtIn(), DeviceCatalogue.builtIn());
        LeftOut fit = LeftOut.of(CoefficientTable.builtIn().beliefs(), cases.cases());
        List<Coefficient> fitted = new ArrayList<>(fit.fitAll());
        Map<MeasuredCase, Double> unseen = fit.predict();
        fitted.addAll(Predictions.fitIntervals(unseen));
        fitted.addAll(TrainingEvidence.list(tables));
        write(fitted, Path.of(arguments[0]));
        CoefficientTable table = CoefficientTable.of(fitted);
        print("fitted", Predictions.report(cases, table));
        print("groups left out", Predictions.report(cases, table, unseen));
    }

    private static MeasuredTables read(Path folder) throws IOException {
        Map<String, String> texts = new HashMap<>();
        for (String name : MeasuredTables.NAMES) {
            Path file = folder.resolve(name);
            if (Files.exists(file)) {
                texts.put(name, Files.readString(file));
            }
        }
        return MeasuredTables.of(texts);
    }

    private static void write(List<Coefficient> fitted, Path file) throws IOException {
        StringBuilder text = new StringBuilder("name,value,prior,spread\n");
        for (Coefficient one : fitted) {
            text.append(one.name())
                    .append(',')
                    .append(number(one.value()))
                    .append(',')
                    .append(number(one.prior()))
                    .append(',')
                    .append(number(one.spread()))
                    .append('\n');
        }
        Files.writeString(file, text);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.6g", value);
    }

    private static void print(String title, AccuracyReport report) {
        System.out.println(title);
        List<ClassAccuracy> all = new ArrayList<>(report.classes());
        all.addAll(report.engines());
        for (ClassAccuracy one : all) {
            System.out.printf(
                    Locale.ROOT,
                    "  %-42s %5d rows %3d groups  median %5.1f %%  p90 %5.1f %%  held %3.0f %%%n",
                    one.measuredClass().label() + " " + one.engine(),
                    one.rows(),
                    one.groups(),
                    PERCENT * one.medianError(),
                    PERCENT * one.p90Error(),
                    PERCENT * one.coverage());
        }
        System.out.printf(
                Locale.ROOT,
                "  predicted %.1f %% of usable rows, held %.0f %% of all%n",
                PERCENT * report.predictedShare(),
                PERCENT * report.coverage());
    }
}
