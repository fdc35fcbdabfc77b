package dev.muster.mesh;

/// What happens when a group that talks much lies on several hosts that no fast fabric joins.
///
/// @since 0.1
public enum CrossingRule {
    /// The placement says so.
    WARN,
    /// There is no placement.
    REFUSE
}
