// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import java.util.Locale;

/// What a plan of training should be best at.
///
/// @since 0.1
public enum TrainingGoal {
    /// Least time for a step.
    SPEED("the least time per step"),
    /// Most tokens for each second of a device: what costs least where devices are paid by the hour.
    COST("the least device time per token"),
    /// Fewest devices that hold it.
    DEVICES("the fewest devices"),
    /// Least energy for each token, of the devices alone.
    ENERGY("the least energy per token");

    private final String display;

    TrainingGoal(String display) {
        this.display = display;
    }

    /// What is wanted, for people.
    public String display() {
        return display;
    }

    /// The name on the command line.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
