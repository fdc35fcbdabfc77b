// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.time.Coefficients;

/// A measurement, and how the model predicts it.
///
/// @param id the row
/// @param group rows that could leak into one another
/// @param measuredClass what was measured
/// @param engine what ran, where errors of a class differ by it; else blank
/// @param measured the measured value
/// @param weight how much it counts in a fit; 0 where it does not
/// @param prediction the model's answer
public record MeasuredCase(
        String id,
        String group,
        MeasuredClass measuredClass,
        String engine,
        double measured,
        double weight,
        Prediction prediction) {
    /// A measurement whose errors are like those of all of its class.
    public MeasuredCase(
            String id,
            String group,
            MeasuredClass measuredClass,
            double measured,
            double weight,
            Prediction prediction) {
        this(id, group, measuredClass, "", measured, weight, prediction);
    }

    /// A value that follows from coefficients.
    public interface Prediction {
        /// The predicted value, in the unit of the measured one.
        double with(Coefficients coefficients);

        /// A form that says the same at some coefficients, nearly the same close to them, and is quickly computed:
        /// a fit goes by it.
        default Prediction around(Coefficients coefficients) {
            return this;
        }
    }

    /// The same with [Prediction#around(Coefficients)].
    MeasuredCase around(Coefficients coefficients) {
        Prediction near = prediction.around(coefficients);
        return near == prediction ? this : new MeasuredCase(id, group, measuredClass, engine, measured, weight, near);
    }

    /// The same with so many times the weight.
    MeasuredCase times(double factor) {
        return new MeasuredCase(id, group, measuredClass, engine, measured, weight * factor, prediction);
    }

    /// The logarithm of predicted over measured.
    double residual(Coefficients coefficients) {
        return Math.log(prediction.with(coefficients) / measured);
    }
}
