package dev.muster.plan.cost;

/// The fitted numbers of the cost model, by name.
///
/// @since 0.1
public interface Coefficients {
    /// A number that has to be there.
    ///
    /// @throws IllegalArgumentException if nobody knows the name
    double get(String name);

    /// Whether something was measured that tells this number.
    boolean has(String name);

    /// A factor that is 1 where nothing was measured: what one device or one release differs from its kin.
    double factor(String name);
}
