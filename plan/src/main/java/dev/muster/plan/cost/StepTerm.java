package dev.muster.plan.cost;

/// One term of a step, as a [StepLedger] takes it down.
///
/// @param part the part of the step that it belongs to
/// @param what what it is, for people
/// @param bytes bytes that one device moves
/// @param bytesPerSecond how fast; 0 where nothing moves
/// @param operations operations that one device does
/// @param operationsPerSecond how fast; 0 where nothing computes
/// @param fixed seconds that depend on neither
/// @param seconds what it takes altogether
/// @since 0.1
public record StepTerm(
        StepPart part,
        String what,
        double bytes,
        double bytesPerSecond,
        double operations,
        double operationsPerSecond,
        double fixed,
        double seconds) {
    /// So many times as long.
    public StepTerm times(double factor) {
        return new StepTerm(
                part,
                what,
                bytes * factor,
                bytesPerSecond,
                operations * factor,
                operationsPerSecond,
                fixed * factor,
                seconds * factor);
    }
}
