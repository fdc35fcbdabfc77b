// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.bench;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.Operation;
import java.time.Duration;
import java.util.List;

/// A plan of a measurement. Immutable. All ranks of a group use the same plan.
///
/// @param operations in this order
/// @param type of the elements
/// @param sizes in bytes, in this order; a barrier has none and is measured once
/// @param calls number of timed calls for each size, after as many untimed ones; 0 for as many as the budget allows
/// @param warmUp at least how long each operation is called before its first size, for the compiler's sake
/// @param budget about how long the timed calls of a size take where their number is not given
public record BenchPlan(
        List<Operation> operations, DType type, List<Long> sizes, int calls, Duration warmUp, Duration budget) {
    /// The most calls that are timed for a size.
    public static final int MOST_CALLS = 20_000;

    /// Checks that there is something to measure, and that it can be done.
    public BenchPlan {
        operations = List.copyOf(operations);
        sizes = List.copyOf(sizes);
        if (operations.isEmpty() || sizes.isEmpty()) {
            throw new IllegalArgumentException("a plan has an operation and a size");
        }
        if (calls < 0 || calls > MOST_CALLS) {
            throw new IllegalArgumentException("0 to " + MOST_CALLS + " calls are timed: " + calls);
        }
        for (long size : sizes) {
            if (size < 1) {
                throw new IllegalArgumentException("a size must be positive: " + size);
            }
        }
        for (Operation operation : operations) {
            if (operation.isReduction() && !type.isReducible()) {
                throw new IllegalArgumentException(
                        operation.text() + " needs a type that can be summed; " + type.text() + " is only moved");
            }
        }
    }
}
