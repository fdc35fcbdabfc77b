package dev.muster.plan.search;

/// How keys and values are kept.
///
/// @since 0.1
public final class KvNumber {
    private static final int HALF = 2;
    private static final int EIGHT = 1;

    private KvNumber() {}

    /// Bytes of a key or value where weights have a format: engines keep 8 bits beside weights of 8 bits and fewer in
    /// floating point.
    public static int bytes(String format) {
        return switch (format) {
            case "fp8", "fp8-block", "fp4", "nvfp4", "mxfp4" -> EIGHT;
            default -> HALF;
        };
    }
}
