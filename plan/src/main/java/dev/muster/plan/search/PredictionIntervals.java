// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingSimulation.Intervals;
import dev.muster.plan.time.Coefficients;
import java.util.EnumMap;
import java.util.Map;

/// The intervals of predictions of each class, looked up once. Confined to one thread.
public final class PredictionIntervals {
    private final Coefficients coefficients;
    private final boolean isUncertain;
    private final Map<MeasuredClass, ErrorInterval> known = new EnumMap<>(MeasuredClass.class);

    public PredictionIntervals(Coefficients coefficients, DevicePool pool) {
        this.coefficients = coefficients;
        this.isUncertain = pool.isUncertain();
    }

    ErrorInterval speed(LayoutModel model, int sequences) {
        return widened(of(model.speedClass(sequences)), model);
    }

    ErrorInterval timeToFirstToken(LayoutModel model) {
        ErrorInterval interval = of(model.prefillClass());
        boolean isRate = model.prefillClass() == MeasuredClass.PREFILL;
        return widened(isRate ? interval.inverse() : interval, model);
    }

    /// Returns the intervals of a simulated load, by engine; of engines that were never measured under load they are as
    /// wide as on devices without measurements.
    ///
    /// @param isMeasured true if the engine was measured on such devices
    public Intervals underLoad(ServingEngine software, boolean isMeasured) {
        return new Intervals(
                underLoad(MeasuredClass.SERVING_TTFT, software, isMeasured),
                underLoad(MeasuredClass.SERVING_TPOT, software, isMeasured),
                underLoad(MeasuredClass.SERVING_THROUGHPUT, software, isMeasured));
    }

    private ErrorInterval underLoad(MeasuredClass measured, ServingEngine software, boolean isMeasured) {
        ErrorInterval interval = coefficients.interval(measured, software.label());
        boolean isServed = coefficients.has(Coefficients.INTERVAL + measured.label() + "/" + software.label() + "/low");
        return isMeasured && isServed ? interval : interval.doubled();
    }

    private ErrorInterval of(MeasuredClass measured) {
        return known.computeIfAbsent(measured, one -> coefficients.interval(one));
    }

    /// Returns the interval of an engine on devices without measurements: twice as wide, in logarithms, which is an
    /// estimate.
    private ErrorInterval widened(ErrorInterval interval, LayoutModel model) {
        return isMeasured(model) ? interval : interval.doubled();
    }

    /// Reports whether the engine was measured on such devices. Those without certain figures count as never measured.
    public boolean isMeasured(LayoutModel model) {
        return model.isMeasured() && !isUncertain;
    }
}
