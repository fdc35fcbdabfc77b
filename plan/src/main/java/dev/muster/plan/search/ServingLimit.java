package dev.muster.plan.search;

/// What a plan may be held to.
///
/// @since 0.1
public enum ServingLimit {
    /// Seconds until the first token, with all sequences arriving together.
    TIME_TO_FIRST_TOKEN("time-to-first-token"),
    /// Seconds between tokens.
    TIME_PER_OUTPUT_TOKEN("time-per-output-token"),
    /// Dollars of the United States for an hour.
    USD_PER_HOUR("usd-per-hour");

    private final String label;

    ServingLimit(String label) {
        this.label = label;
    }

    /// The name in documents.
    public String label() {
        return label;
    }
}
