package dev.muster.mesh;

/// What lies behind the end of a dimension.
///
/// @since 0.1
public enum Wrap {
    /// The other end: the dimension is a ring.
    AROUND,
    /// Nothing: the dimension is a chain.
    STOP
}
