// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

/// Carries out the operations of one group, one after the other: the seam behind which shared memory, sockets
/// and native libraries lie. Ranks given to it are those within the group.
///
/// [#execute(Call)] is called by one thread at a time; the others may be called by any thread at any time.
///
/// @since 0.1
public interface Engine extends AutoCloseable {
    /// The name of the way it takes: `local`, `shm`, `tcp`, `hier`, `fake`.
    String name();

    /// Returns the reason for which a group has this engine, for people.
    default String reason() {
        return "it was requested";
    }

    /// Looks whether it can carry out an operation, before any other member is disturbed: what it refuses here leaves
    /// the group as it is.
    ///
    /// @throws IllegalArgumentException if it cannot, with what it can
    default void requirePossible(GroupCall call) {
        // Most can do all that a group checks.
    }

    /// Carries out an operation together with the other members and returns when this rank's part of it is done.
    ///
    /// @throws GroupException if the deadline passes, a member is lost, calls something else or aborts. The
    ///     engine is of no use afterwards; all members are told.
    void execute(GroupCall call);

    /// Ends what is under way, here and on the other members, with that reason. Does not wait.
    void abort(GroupException reason);

    /// Frees what it holds. Members that still wait for this rank are told that it has left.
    @Override
    void close();
}
