// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The goal of a serving plan.
///
/// @since 0.1
public enum ServingGoal {
    /// Most tokens per second over all sequences.
    THROUGHPUT("the most tokens per second"),
    /// Least time between the tokens of a sequence.
    LATENCY("the least time per token"),
    /// Fewest devices that hold it.
    DEVICES("the fewest devices"),
    /// Least memory on each device.
    MEMORY("the least memory on each device"),
    /// Fewest dollars for a million output tokens, of machines that are rented.
    COST("the fewest dollars per token"),
    /// Fewest joules for an output token.
    ENERGY("the least energy per token");

    private final String display;

    ServingGoal(String display) {
        this.display = display;
    }

    /// Returns the goal as text.
    public String display() {
        return display;
    }

    /// Returns the goal with a name.
    public static Optional<ServingGoal> find(String label) {
        return Arrays.stream(values()).filter(one -> one.label().equals(label)).findFirst();
    }

    /// Returns all names.
    public static List<String> labels() {
        return Arrays.stream(values()).map(ServingGoal::label).toList();
    }

    /// Returns the name on the command line.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
