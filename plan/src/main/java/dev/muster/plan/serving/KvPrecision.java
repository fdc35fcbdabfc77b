package dev.muster.plan.serving;

import dev.muster.plan.memory.GgufFormat;
import dev.muster.plan.memory.StandardFormat;
import dev.muster.plan.memory.WeightFormat;

/// How many bytes a number of the KV cache has.
public final class KvPrecision {
    private static final int HALF = 2;
    private static final int EIGHT = 1;

    private KvPrecision() {}

    /// Bytes of a key or value that a plan counts: 8 bits beside weights of 8 bits and fewer in floating point, else
    /// 16.
    /// llama.cpp keeps 16 unless it is told otherwise.
    public static int bytes(ServingSoftware software, WeightFormat format) {
        if (software == ServingSoftware.LLAMA_CPP) {
            return HALF;
        }
        return switch (format) {
            case StandardFormat standard ->
                switch (standard) {
                    case FP8, FP8_BLOCK, NVFP4, MXFP4 -> EIGHT;
                    case FP32, BF16, FP16, INT8, AWQ_INT4, GPTQ_INT4, NF4 -> HALF;
                };
            case GgufFormat _ -> HALF;
        };
    }
}
