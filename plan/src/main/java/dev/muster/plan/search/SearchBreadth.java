package dev.muster.plan.search;

/// How many plans a search lists.
///
/// @since 0.1
public enum SearchBreadth {
    /// As many copies as there is room for, where fewer are never better; every number of them where
    /// they may be.
    GOAL,
    /// Every number of copies, for who wants to choose between more speed and fewer devices.
    EVERY_COPY
}
