// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.time.Coefficients;
import java.util.EnumMap;
import java.util.Map;

/// The intervals of predictions of each class, looked up once. Confined to one thread.
final class PredictionIntervals {
    private final Coefficients coefficients;
    private final boolean isDerived;
    private final Map<MeasuredClass, ErrorInterval> known = new EnumMap<>(MeasuredClass.class);

    PredictionIntervals(Coefficients coefficients, DevicePool pool) {
        this.coefficients = coefficients;
        this.isDerived = pool.basis() == DevicePool.Basis.DERIVED;
    }

    ErrorInterval speed(LayoutModel model, int sequences) {
        return widened(of(model.speedClass(sequences)), model);
    }

    ErrorInterval timeToFirstToken(LayoutModel model) {
        ErrorInterval interval = of(model.prefillClass());
        boolean isRate = model.prefillClass() == MeasuredClass.PREFILL;
        return widened(isRate ? interval.inverse() : interval, model);
    }

    private ErrorInterval of(MeasuredClass measured) {
        return known.computeIfAbsent(measured, one -> coefficients.interval(one));
    }

    /// Returns the interval of an engine on devices without measurements: twice as wide, in logarithms, which is an
    /// estimate.
    private ErrorInterval widened(ErrorInterval interval, LayoutModel model) {
        return isMeasured(model) ? interval : interval.doubled();
    }

    /// Reports whether the engine was measured on such devices. Those that no catalogue knows were never measured.
    boolean isMeasured(LayoutModel model) {
        return model.isMeasured() && !isDerived;
    }
}
