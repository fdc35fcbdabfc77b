// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.mesh;

import dev.muster.core.measure.MeshCalibration;
import dev.muster.mesh.rehearse.Rehearsal;
import dev.muster.mesh.rehearse.RehearsalFigures;
import dev.muster.mesh.rehearse.RehearsalFigures.CallFigures;
import dev.muster.plan.cost.StepCommunication;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// What a plan predicts of its communication, and what ranks took. Immutable.
///
/// @param model the model's name
/// @param rehearsal what was rehearsed
/// @param rows a row for each kind of call
/// @param figures what was measured; null where volumes alone are told
public record RehearsalReport(
        String model,
        Rehearsal rehearsal,
        List<Row> rows,
        @Nullable RehearsalFigures figures) {
    /// One kind of call.
    ///
    /// @param sentBytes what a rank sends in a step, on average
    /// @param totalBytes what all ranks send in a step
    /// @param predicted seconds of a step
    /// @param isCalibrated whether that rests on calls measured between ranks; else the plan says it
    /// @param measured what ranks took; null where volumes alone are told
    public record Row(
            StepCommunication.Call call,
            double sentBytes,
            double totalBytes,
            double predicted,
            boolean isCalibrated,
            @Nullable CallFigures measured) {
        /// What ranks took, if that is known.
        public Optional<CallFigures> findMeasured() {
            return Optional.ofNullable(measured);
        }

        /// Seconds of a step: the median call, as often as a step has it.
        public double seconds() {
            return measured == null ? 0 : call.count() * measured.p50();
        }
    }

    /// Copies the rows.
    public RehearsalReport {
        rows = List.copyOf(rows);
    }

    /// Puts predictions beside figures.
    ///
    /// @param calibration calls that were measured between such ranks; where there is none, the plan's
    ///     predictions stand
    /// @param figures what was measured; null where volumes alone are told
    public static RehearsalReport of(
            String model,
            RehearsedPlan plan,
            Optional<MeshCalibration> calibration,
            @Nullable RehearsalFigures figures) {
        Rehearsal rehearsal = plan.rehearsal();
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < rehearsal.calls().size(); i++) {
            StepCommunication.Call call = plan.step().calls().get(i);
            Rehearsal.Call placed = rehearsal.calls().get(i);
            OptionalDouble calibrated =
                    calibration.isPresent() ? call.seconds(calibration.get()) : OptionalDouble.empty();
            rows.add(new Row(
                    call,
                    rehearsal.bytesOfRank(placed),
                    rehearsal.totalBytes(placed),
                    calibrated.orElse(call.seconds()),
                    calibrated.isPresent(),
                    figures == null ? null : figures.calls().get(i)));
        }
        return new RehearsalReport(model, rehearsal, rows, figures);
    }

    /// What was measured, if something was.
    public Optional<RehearsalFigures> findFigures() {
        return Optional.ofNullable(figures);
    }

    /// Seconds of communication that are predicted for a step, hidden or not.
    public double predicted() {
        return rows.stream().mapToDouble(Row::predicted).sum();
    }

    /// Seconds of communication that a step takes, hidden or not.
    public double measured() {
        return rows.stream().mapToDouble(Row::seconds).sum();
    }

    /// How many times the prediction was taken; 1 where nothing is predicted and nothing was taken.
    public double ratio() {
        return predicted() > 0 ? measured() / predicted() : measured() > 0 ? Double.POSITIVE_INFINITY : 1;
    }

    /// Seconds of a step by what was measured: computation, calls that nothing hides, and of the others what
    /// lasts longer than the computation that hides them.
    public double stepSeconds() {
        double exposed = 0;
        double hidden = 0;
        for (Row row : rows) {
            if (row.call.isOverlapped()) {
                hidden += row.seconds();
            } else {
                exposed += row.seconds();
            }
        }
        return exposed + Math.max(hidden, rehearsal.computeSeconds());
    }

    /// How much of a step a kind of call is, were it alone.
    public double share(Row row) {
        return stepSeconds() > 0 ? row.seconds() / stepSeconds() : 0;
    }
}
