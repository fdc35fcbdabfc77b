package dev.muster.plan.search;

/// A limit that a plan does not keep.
///
/// @param limit which
/// @param allowed the most that was asked for, in seconds or dollars
/// @param predicted what the plan takes
/// @since 0.1
public record LimitBreach(ServingLimit limit, double allowed, double predicted) {
    /// How far beyond, as a share of what is allowed.
    public double excess() {
        return predicted / allowed - 1;
    }
}
