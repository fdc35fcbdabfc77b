package dev.muster.plan.cost;

import java.util.Locale;

/// The parts of a step: those of [StepTime] when a model serves, those of [TrainingTime] when it is trained.
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
    /// Collectives; in training those within a replica.
    LINKS,
    /// What only moves bytes, in training.
    TRAFFIC,
    /// Waiting for a pipeline to fill and drain, in training.
    PIPELINE,
    /// The optimizer's step.
    OPTIMIZER,
    /// What replicas of a model in training send to each other.
    REPLICAS,
    /// What lies outside of the devices in training.
    OFFLOAD,
    /// What many devices lose to the slowest among them in training.
    STRAGGLERS;

    /// The name for people and documents.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
