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

/// The predicted communication of a plan beside the measured one. Immutable.
///
/// @param model the model's name
/// @param rehearsal rehearsed calls
/// @param rows a row for each kind of call
/// @param figures measured figures; null for volumes alone
public record RehearsalReport(
        String model,
        Rehearsal rehearsal,
        List<Row> rows,
        @Nullable RehearsalFigures figures) {
    /// One kind of call.
    ///
    /// @param sentBytes mean bytes sent by a rank in a step
    /// @param totalBytes bytes sent by all ranks in a step
    /// @param predicted predicted seconds of a step
    /// @param isCalibrated true if the prediction is from calls measured between ranks; else it is the plan's
    /// @param measured measured figures of the ranks; null for volumes alone
    public record Row(
            StepCommunication.Call call,
            double sentBytes,
            double totalBytes,
            double predicted,
            boolean isCalibrated,
            @Nullable CallFigures measured) {
        /// Returns the measured figures, if there are any.
        public Optional<CallFigures> findMeasured() {
            return Optional.ofNullable(measured);
        }

        /// Returns the seconds of a step: the median call, times the calls of a step.
        public double seconds() {
            return measured == null ? 0 : call.count() * measured.p50();
        }
    }

    public RehearsalReport {
        rows = List.copyOf(rows);
    }

    /// Compares predictions with measured figures.
    ///
    /// @param calibration calls measured between such ranks; without them, the plan's predictions are used
    /// @param figures measured figures; null for volumes alone
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

    /// Returns the measured figures, if there are any.
    public Optional<RehearsalFigures> findFigures() {
        return Optional.ofNullable(figures);
    }

    /// Returns the predicted seconds of communication in a step, hidden or not.
    public double predicted() {
        return rows.stream().mapToDouble(Row::predicted).sum();
    }

    /// Returns the measured seconds of communication in a step, hidden or not.
    public double measured() {
        return rows.stream().mapToDouble(Row::seconds).sum();
    }

    /// Returns measured over predicted; 1 if both are zero.
    public double ratio() {
        return predicted() > 0 ? measured() / predicted() : measured() > 0 ? Double.POSITIVE_INFINITY : 1;
    }

    /// Returns the seconds of a step by the measured figures: computation, exposed calls, and the part of overlapped
    /// calls that exceeds the computation.
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

    /// Returns the share of a step that a kind of call would take alone.
    public double share(Row row) {
        return stepSeconds() > 0 ? row.seconds() / stepSeconds() : 0;
    }
}
