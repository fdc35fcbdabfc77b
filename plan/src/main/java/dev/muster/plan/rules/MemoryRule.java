// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;

/// The memory of a model: its weights and a fifth more.
final class MemoryRule {
    private static final int LOG_BITS_PER_BYTE = 3;
    private static final int OVERHEAD_DIVISOR = 5;

    private MemoryRule() {}

    static Bytes estimate(long parameters, QuantizationLevel level) {
        return new Bytes(estimateUnsigned(parameters, level));
    }

    /// Returns the memory as an unsigned number, for frequent calls.
    ///
    /// @throws ArithmeticException past 2^64-1 bits
    static long estimateUnsigned(long parameters, QuantizationLevel level) {
        int bits = level.bitsPerParameter();
        if (Math.unsignedMultiplyHigh(parameters, bits) != 0) {
            throw tooLarge(parameters, level);
        }
        // At most 2^61: neither negative nor too large for a fifth more.
        long raw = (parameters * bits) >>> LOG_BITS_PER_BYTE;
        return raw + raw / OVERHEAD_DIVISOR;
    }

    private static ArithmeticException tooLarge(long parameters, QuantizationLevel level) {
        return new ArithmeticException(Long.toUnsignedString(parameters) + " parameters at " + level.display()
                + " take more than 2^64-1 bits: no model is that large");
    }
}
