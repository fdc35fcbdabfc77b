// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.ops;

import dev.muster.mesh.collective.ReduceOp;
import java.util.Optional;
import java.util.OptionalInt;

/// The share that ranks along one dimension of a mesh have of an array. Immutable.
///
/// @param findDimension the dimension of the array that is split along them, from 0; empty unless it is sharded
/// @param findReduction the operator that combines their values into those of the array; empty unless it is partial
/// @since 0.3
public record ArrayPlacement(OptionalInt findDimension, Optional<ReduceOp> findReduction) {
    private static final ArrayPlacement REPLICATED = new ArrayPlacement(OptionalInt.empty(), Optional.empty());

    /// Checks that an array is not sharded and partial along the same ranks.
    public ArrayPlacement {
        if (findDimension.isPresent() && findReduction.isPresent()) {
            throw new IllegalArgumentException("an array is either sharded or partial along a mesh dimension");
        }
        if (findDimension.isPresent() && findDimension.getAsInt() < 0) {
            throw new IllegalArgumentException(
                    "dimensions of an array are counted from 0, not " + findDimension.getAsInt());
        }
    }

    /// Each rank has a piece of a dimension of the array, as even as possible; sizes differ by one at most.
    public static ArrayPlacement shard(int dimension) {
        return new ArrayPlacement(OptionalInt.of(dimension), Optional.empty());
    }

    /// Each rank has the same.
    public static ArrayPlacement replicate() {
        return REPLICATED;
    }

    /// Each rank has values that are still to be reduced, such as the product of shards of two matrices.
    public static ArrayPlacement partial(ReduceOp op) {
        return new ArrayPlacement(OptionalInt.empty(), Optional.of(op));
    }

    boolean isShardOf(int dimension) {
        return findDimension.isPresent() && findDimension.getAsInt() == dimension;
    }

    boolean isReplicated() {
        return equals(REPLICATED);
    }

    /// The placement as it is written: `shard(0)`, `replicate`, `partial(sum)`.
    @Override
    public String toString() {
        if (findDimension.isPresent()) {
            return "shard(" + findDimension.getAsInt() + ")";
        }
        return findReduction.map(op -> "partial(" + op.text() + ")").orElse("replicate");
    }
}
