// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.prometheus;

import java.util.Map;
import java.util.OptionalLong;

/// One value of one series.
///
/// @param name the metric
/// @param labels its labels
/// @param value the value; may be no number
/// @param millis the time of the sample, if reported
record Sample(String name, Map<String, String> labels, double value, OptionalLong millis) {
    /// A label under the first of several names that it has; blank where it has none of them.
    String label(String... keys) {
        for (String key : keys) {
            String value = labels.getOrDefault(key, "");
            if (!value.isBlank()) {
                return value;
            }
        }
        return "";
    }
}
