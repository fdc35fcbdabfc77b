// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// An operation of a group.
///
/// @since 0.1
public enum Operation {
    /// All wait for all.
    BARRIER(0),
    /// All get the reduction.
    ALL_REDUCE(1),
    /// One gets the reduction.
    REDUCE(2),
    /// All get what one has.
    BROADCAST(3),
    /// All get what each has.
    ALL_GATHER(4),
    /// Each gets a piece of the reduction.
    REDUCE_SCATTER(5),
    /// One gets what each has.
    GATHER(6),
    /// Each gets a piece of what one has.
    SCATTER(7),
    /// Each gets a piece of what each has.
    ALL_TO_ALL(8),
    /// Messages between pairs, all under way at once.
    EXCHANGE(9);

    private final int code;

    Operation(int code) {
        this.code = code;
    }

    /// The number that stands for it between processes. It never changes its meaning.
    int code() {
        return code;
    }

    /// The name that people read: `all-reduce`.
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Reports whether values are reduced.
    public boolean isReduction() {
        return equals(ALL_REDUCE) || equals(REDUCE) || equals(REDUCE_SCATTER);
    }

    /// Reports whether one rank plays a part of its own.
    public boolean hasRoot() {
        return equals(REDUCE) || equals(BROADCAST) || equals(GATHER) || equals(SCATTER);
    }

    /// The operation of that code in a frame of another process, if there is one.
    static Optional<Operation> ofCode(int code) {
        return Arrays.stream(values())
                .filter(operation -> operation.code == code)
                .findFirst();
    }
}
