package dev.muster.plan.catalogue;

/// How a machine is rented.
///
/// @since 0.1
public enum Purchase {
    /// By the hour, for as long as one likes.
    ON_DEMAND("on-demand"),
    /// By the hour, until the provider wants it back.
    SPOT("spot");

    private final String text;

    Purchase(String text) {
        this.text = text;
    }

    /// The name in documents and on the command line, such as `on-demand`.
    public String text() {
        return text;
    }
}
