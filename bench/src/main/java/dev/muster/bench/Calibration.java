package dev.muster.bench;

/// How fast this machine is now: steps of a random generator, each waiting for the last.
final class Calibration {
    private Calibration() {}

    static long run(long seed, int steps) {
        long value = seed;
        for (int i = 0; i < steps; i++) {
            value ^= value << 13;
            value ^= value >>> 7;
            value ^= value << 17;
        }
        return value;
    }
}
