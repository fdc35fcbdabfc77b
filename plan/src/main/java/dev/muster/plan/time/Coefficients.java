// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.training.TrainingPrecision;

/// The fitted numbers of the cost model, by name.
public interface Coefficients {
    /// The prefix of the names of interval bounds.
    String INTERVAL = "interval/";

    /// Returns a coefficient that must exist.
    ///
    /// @throws IllegalArgumentException if the name is unknown
    double get(String name);

    /// Reports whether a measurement determined this number.
    boolean has(String name);

    /// Returns the name of the coefficient that exists if a framework was measured on a device.
    ///
    /// @param framework its name in tables of coefficients
    /// @param device its short name in the device catalogue
    /// @param precision the precision of the matrix products
    static String measuredTraining(String framework, String device, TrainingPrecision precision) {
        return INTERVAL + "training/measured/" + framework + "/" + device + "+" + precision.label();
    }

    /// Returns the interval of measured values around predictions of a class.
    default ErrorInterval interval(MeasuredClass measured) {
        String name = INTERVAL + measured.intervalClass().label();
        return new ErrorInterval(get(name + "/low"), get(name + "/high"));
    }

    /// Returns the interval of measured values around predictions of one engine; that of all engines if it has too
    /// few measurements.
    ///
    /// @param engine its name in tables of coefficients
    default ErrorInterval interval(MeasuredClass measured, String engine) {
        String name = INTERVAL + measured.intervalClass().label() + "/" + engine;
        return has(name + "/low") ? new ErrorInterval(get(name + "/low"), get(name + "/high")) : interval(measured);
    }

    /// Returns the factor of one device or release relative to others; 1 without measurements.
    double factor(String name);
}
