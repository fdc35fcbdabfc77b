package dev.muster.plan.search;

/// How keys and values are kept.
public final class KvNumber {
    private static final int HALF = 2;
    private static final int EIGHT = 1;

    private KvNumber() {}

    /// Bytes of a key or value that a plan counts: 8 bits beside weights of 8 bits and fewer in floating point, else
    /// 16.
    /// llama.cpp keeps 16 unless it is told otherwise.
    public static int bytes(ServingSoftware software, String format) {
        if (software == ServingSoftware.LLAMA_CPP) {
            return HALF;
        }
        return switch (format) {
            case "fp8", "fp8-block", "fp4", "nvfp4", "mxfp4" -> EIGHT;
            default -> HALF;
        };
    }
}
