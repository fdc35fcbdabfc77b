// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import java.util.Locale;

/// The goal of a training plan.
///
/// @since 0.1
public enum TrainingGoal {
    /// Least time for a step.
    SPEED("shortest step"),
    /// Most tokens for each second of a device: the least cost if devices are paid by the hour.
    COST("least device time per token"),
    /// Fewest devices that hold it.
    DEVICES("fewest devices"),
    /// Least energy for each token, of the devices alone.
    ENERGY("lowest energy per token");

    private final String display;

    TrainingGoal(String display) {
        this.display = display;
    }

    /// Returns the goal as text.
    public String display() {
        return display;
    }

    /// Returns the name on the command line.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
