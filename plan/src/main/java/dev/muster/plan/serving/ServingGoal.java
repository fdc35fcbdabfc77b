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
    THROUGHPUT("highest throughput"),
    /// Least time between the tokens of a sequence.
    LATENCY("lowest TPOT"),
    /// Fewest devices that hold it.
    DEVICES("fewest devices"),
    /// Least memory on each device.
    MEMORY("least memory per device"),
    /// Fewest dollars for a million output tokens, of machines that are rented.
    COST("lowest cost per token"),
    /// Fewest joules for an output token.
    ENERGY("lowest energy per token");

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
