package dev.muster.plan.time;

import java.util.Locale;

/// The parts of a step: those of [StepTime].
///
/// @since 0.1
public enum StepPart {
    /// Matrix products outside of routed experts.
    PRODUCTS,
    /// Routed experts.
    EXPERTS,
    /// Keys and values.
    ATTENTION,
    /// Logits and sampling.
    HEAD,
    /// Launches and scheduling.
    HOST,
    /// Collectives.
    LINKS;

    /// The name for people and documents.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
