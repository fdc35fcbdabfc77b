// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.plan.cost.Roofline;
import dev.muster.report.text.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// What limits the work of a device.
///
/// @param device its name
/// @param roofline its roofs
/// @param marks work that is drawn below them
record RooflineChart(String device, Roofline roofline, List<Mark> marks) {
    /// Work with its name.
    ///
    /// @param remark where time goes that is neither memory nor arithmetic; blank where nothing is to
    ///     say
    record Mark(String name, Roofline.Point point, String remark) {
        /// Less is not worth a word.
        private static final double LEAST = 0.05;

        /// @param waits what the time goes to beside memory and arithmetic, in seconds
        static Mark of(String name, Roofline.Point point, double seconds, Map<String, Double> waits) {
            List<String> words = new ArrayList<>();
            waits.entrySet().stream()
                    .filter(wait -> wait.getValue() >= LEAST * seconds)
                    .sorted(Comparator.comparingDouble((Map.Entry<String, Double> wait) -> -wait.getValue())
                            .thenComparing(Map.Entry::getKey))
                    .forEach(wait -> words.add(Quantity.percent(wait.getValue() / seconds, 0) + " " + wait.getKey()));
            return new Mark(name, point, words.isEmpty() ? "" : "of the time " + String.join(", ", words));
        }
    }
}
