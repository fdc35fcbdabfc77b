// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.unit;

/// A rate of arithmetic. A multiplication and an addition are two operations, as in data sheets.
///
/// @param teraPerSecond the rate in 10^12 operations per second; finite, above 0
/// @since 0.1
public record OperationRate(double teraPerSecond) implements Comparable<OperationRate> {
    /// Checks the value.
    public OperationRate {
        if (!Double.isFinite(teraPerSecond) || teraPerSecond <= 0) {
            throw new IllegalArgumentException("a rate of operations is a number above 0: " + teraPerSecond);
        }
    }

    @Override
    public int compareTo(OperationRate other) {
        return Double.compare(teraPerSecond, other.teraPerSecond);
    }
}
