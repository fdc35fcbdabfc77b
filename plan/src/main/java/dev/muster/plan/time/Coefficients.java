// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.training.TrainingPrecision;

/// The fitted numbers of the cost model, by name.
public interface Coefficients {
    /// Names of bounds of intervals begin with it.
    String INTERVAL = "interval/";

    /// A number that has to be there.
    ///
    /// @throws IllegalArgumentException if the name is unknown
    double get(String name);

    /// Whether something was measured that tells this number.
    boolean has(String name);

    /// Returns the name of the coefficient that is there if a framework was measured on a device.
    ///
    /// @param framework its name in tables of coefficients
    /// @param device its short name in the device catalogue
    /// @param precision the precision of the matrix products
    static String measuredTraining(String framework, String device, TrainingPrecision precision) {
        return INTERVAL + "training/measured/" + framework + "/" + device + "+" + precision.label();
    }

    /// How far measured values of a class lie from predictions.
    default ErrorInterval interval(MeasuredClass measured) {
        String name = INTERVAL + measured.intervalClass().label();
        return new ErrorInterval(get(name + "/low"), get(name + "/high"));
    }

    /// How far measured values of a class lie from predictions of one engine; of all where too little of it was
    /// measured.
    ///
    /// @param engine its name in tables of coefficients
    default ErrorInterval interval(MeasuredClass measured, String engine) {
        String name = INTERVAL + measured.intervalClass().label() + "/" + engine;
        return has(name + "/low") ? new ErrorInterval(get(name + "/low"), get(name + "/high")) : interval(measured);
    }

    /// A factor that is 1 where nothing was measured: what one device or one release differs from others.
    double factor(String name);
}
