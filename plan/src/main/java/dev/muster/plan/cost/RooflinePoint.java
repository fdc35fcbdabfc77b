package dev.muster.plan.cost;

/// Work of one device, on average of all that share it and of the whole time, waiting included.
///
/// @param operations operations that it does
/// @param bytes bytes of its memory that it reads and writes
/// @param seconds how long it takes
/// @since 0.1
public record RooflinePoint(double operations, double bytes, double seconds) {
    /// Checks the figures.
    ///
    /// @throws IllegalArgumentException if one is not positive
    public RooflinePoint {
        if (!(operations > 0 && bytes > 0 && seconds > 0)) {
            throw new IllegalArgumentException("work has operations, bytes and a time");
        }
    }

    /// Operations for each byte.
    public double intensity() {
        return operations / bytes;
    }

    /// Operations per second.
    public double rate() {
        return operations / seconds;
    }
}
