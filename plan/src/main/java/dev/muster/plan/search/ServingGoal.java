package dev.muster.plan.search;

import java.util.Locale;

/// What a plan should be best at.
///
/// @since 0.1
public enum ServingGoal {
    /// Most tokens per second over all sequences.
    THROUGHPUT,
    /// Least time between the tokens of a sequence.
    LATENCY,
    /// Fewest devices that hold it.
    DEVICES;

    /// The name on the command line.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
