// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.nccl;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ReduceOp;

/// NCCL's numbers for types and operators, and what it cannot reduce.
final class NcclTypes {
    /// Elements that are only moved are moved as bytes, of any type.
    static final int BYTE = 0;

    static final int SUM = 0;

    private static final int NONE = -1;

    private NcclTypes() {}

    /// The number of a type; of those that NCCL reduces.
    static int type(DType type) {
        return switch (type) {
            case INT8 -> 0;
            case UINT8 -> 1;
            case INT32 -> 2;
            case UINT32 -> 3;
            case INT64 -> 4;
            case UINT64 -> 5;
            case FLOAT16 -> 6;
            case FLOAT32 -> 7;
            case FLOAT64 -> 8;
            case BFLOAT16 -> 9;
            case BOOL, UINT16, INT16, FLOAT8_E4M3, FLOAT8_E5M2 -> NONE;
        };
    }

    /// The number of an operator. The greatest comes before the least.
    static int operator(ReduceOp op) {
        return switch (op) {
            case SUM -> SUM;
            case PRODUCT -> 1;
            case MAX -> 2;
            case MIN -> 3;
            case AVERAGE -> 4;
        };
    }

    /// NCCL divides the wrapped sum of integers, which is another number than their average.
    private static boolean isInteger(DType type) {
        return switch (type) {
            case BOOL, UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64 -> true;
            case FLOAT16, BFLOAT16, FLOAT32, FLOAT64, FLOAT8_E4M3, FLOAT8_E5M2 -> false;
        };
    }

    /// @throws IllegalArgumentException if NCCL has no such reduction
    static void requireReducible(DType type, ReduceOp op) {
        if (type(type) == NONE) {
            throw new IllegalArgumentException("memory on a device cannot be reduced as " + type.text()
                    + "; NCCL reduces int8, uint8, int32, uint32, int64, uint64, float16, bfloat16, float32 and"
                    + " float64; copy it to the host and reduce it there");
        }
        if (op.equals(ReduceOp.AVERAGE) && isInteger(type)) {
            throw new IllegalArgumentException("memory on a device has no average of " + type.text()
                    + "; NCCL averages float16, bfloat16, float32 and float64; take the sum and divide it, or copy it"
                    + " to the host and reduce it there");
        }
    }
}
