package dev.muster.plan.launch;

/// What a launch target does.
///
/// @since 0.1
public enum LaunchKind {
    /// Serves a model.
    SERVING("serving"),
    /// Trains a model.
    TRAINING("training"),
    /// Starts another target on the hosts of a cluster.
    CLUSTER("cluster");

    private final String label;

    LaunchKind(String label) {
        this.label = label;
    }

    /// The name in documents.
    public String label() {
        return label;
    }
}
