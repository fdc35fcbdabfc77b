package dev.muster.plan.search;

import java.util.Locale;

/// What a plan should be best at.
///
/// @since 0.1
public enum ServingGoal {
    /// Most tokens per second over all sequences.
    THROUGHPUT("the most tokens per second"),
    /// Least time between the tokens of a sequence.
    LATENCY("the least time per token"),
    /// Fewest devices that hold it.
    DEVICES("the fewest devices");

    private final String display;

    ServingGoal(String display) {
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
