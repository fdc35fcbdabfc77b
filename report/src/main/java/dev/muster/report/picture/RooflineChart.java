// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.plan.cost.Roofline;
import dev.muster.report.text.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// The roofline of a device and its work.
///
/// @param device its name
/// @param roofline its roofs
/// @param marks work below the roofs
record RooflineChart(String device, Roofline roofline, List<Mark> marks) {
    /// Work with its name.
    ///
    /// @param remark use of the time that is neither memory nor arithmetic; blank if there is little
    record Mark(String name, Roofline.RooflinePoint point, String remark) {
        /// The least share that is mentioned.
        private static final double LEAST = 0.05;

        /// @param waits uses of the time beside memory and arithmetic, in seconds
        static Mark of(String name, Roofline.RooflinePoint point, double seconds, Map<String, Double> waits) {
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
