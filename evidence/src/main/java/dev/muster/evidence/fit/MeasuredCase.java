// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.time.Coefficients;

/// A measurement and its prediction.
///
/// @param id the row
/// @param group rows that are not independent of each other
/// @param measuredClass the measured quantity
/// @param engine the engine, if errors of the class differ by it; else blank
/// @param measured the measured value
/// @param weight weight in a fit; 0 if it is not fitted
/// @param prediction the model's answer
public record MeasuredCase(
        String id,
        String group,
        MeasuredClass measuredClass,
        String engine,
        double measured,
        double weight,
        Prediction prediction) {
    /// Creates a case whose errors are those of its whole class.
    public MeasuredCase(
            String id,
            String group,
            MeasuredClass measuredClass,
            double measured,
            double weight,
            Prediction prediction) {
        this(id, group, measuredClass, "", measured, weight, prediction);
    }

    /// A value computed from coefficients.
    public interface Prediction {
        /// Returns the predicted value, in the unit of the measured one.
        double with(Coefficients coefficients);

        /// Returns a form with the same value at some coefficients, nearly the same close to them, that is fast to
        /// compute: a fit uses it.
        default Prediction around(Coefficients coefficients) {
            return this;
        }
    }

    /// Returns the case with [Prediction#around(Coefficients)].
    MeasuredCase around(Coefficients coefficients) {
        Prediction near = prediction.around(coefficients);
        return near == prediction ? this : new MeasuredCase(id, group, measuredClass, engine, measured, weight, near);
    }

    /// Returns the case with a multiple of its weight.
    MeasuredCase times(double factor) {
        return new MeasuredCase(id, group, measuredClass, engine, measured, weight * factor, prediction);
    }

    /// Returns the logarithm of predicted over measured.
    double residual(Coefficients coefficients) {
        return Math.log(prediction.with(coefficients) / measured);
    }
}
