package dev.muster.plan.search;

/// How many plans a search lists.
///
/// @since 0.1
public enum SearchBreadth {
    /// As many replicas as there is room for, where fewer are never better; every number of them where
    /// they may be.
    GOAL,
    /// Every number of replicas, for who wants to choose between more speed and fewer devices.
    EVERY_REPLICA_COUNT
}
