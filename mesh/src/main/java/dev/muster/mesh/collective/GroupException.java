// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import dev.muster.mesh.MeshException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A mesh could not do what it was asked to. The message names group, operation and the ranks that are missing; ranks
/// are those of the world.
///
/// @since 0.1
public final class GroupException extends MeshException {
    private static final long serialVersionUID = 1;

    private static final String OVERDUE = " did not end within ";

    private final GroupError code;

    @SuppressWarnings("serial") // lists that List.of and copyOf make can be written
    private final List<Integer> missingRanks;

    /// A failure of which no single rank is the cause.
    public GroupException(GroupError code, String message) {
        this(code, message, List.of());
    }

    /// A failure with the ranks that did not come.
    public GroupException(GroupError code, String message, List<Integer> missingRanks) {
        this(code, message, missingRanks, null);
    }

    /// A failure with what caused it.
    public GroupException(GroupError code, String message, Throwable cause) {
        this(code, message, List.of(), cause);
    }

    private GroupException(GroupError code, String message, List<Integer> missingRanks, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.missingRanks = List.copyOf(missingRanks);
    }

    /// A limit that passed.
    ///
    /// @param what the call that did not end: `group world: all-reduce of 10 float32, sum #7`
    /// @param missing the ranks of the world that did not come
    public static GroupException overdue(String what, Duration limit, Collection<Integer> missing) {
        List<Integer> ranks = missing.stream().sorted().distinct().toList();
        return new GroupException(GroupError.LIMIT_EXCEEDED, what + OVERDUE + text(limit) + absent(ranks), ranks);
    }

    /// The same limit that passed, because of other ranks than it seemed.
    public GroupException becauseOf(Collection<Integer> culprits) {
        List<Integer> ranks = culprits.stream().sorted().distinct().toList();
        return new GroupException(code, withoutRanks() + absent(ranks), ranks);
    }

    /// The same limit that passed, where no rank can be blamed.
    ///
    /// @param why the reason, for people
    public GroupException becauseUnknown(String why) {
        return new GroupException(code, withoutRanks() + "; " + why);
    }

    private String withoutRanks() {
        String message = String.valueOf(getMessage());
        int end = message.indexOf(": rank", message.indexOf(OVERDUE));
        return end < 0 ? message : message.substring(0, end);
    }

    /// A span of time for people.
    static String text(Duration span) {
        return span.toMillis() < 1000
                ? span.toMillis() + " ms"
                : String.format(Locale.ROOT, span.toMillis() % 1000 == 0 ? "%.0f s" : "%.1f s", span.toMillis() / 1e3);
    }

    private static String absent(List<Integer> ranks) {
        String who = ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return switch (ranks.size()) {
            case 0 -> "";
            case 1 -> ": rank " + who + " has not arrived";
            default -> ": ranks " + who + " have not arrived";
        };
    }

    /// Returns the kind of failure.
    public GroupError code() {
        return code;
    }

    /// The ranks of the world that had not come, ascending; empty where that is not what went wrong.
    public List<Integer> missingRanks() {
        return missingRanks;
    }

    /// The same failure, thrown again for a later call.
    GroupException again() {
        return new GroupException(code, String.valueOf(getMessage()), missingRanks, this);
    }

    /// The kinds of failures of a mesh.
    ///
    /// @since 0.1
    public enum GroupError {
        /// A limit passed before all ranks had come.
        LIMIT_EXCEEDED,
        /// A rank ended, left or lost its connection.
        PEER_LOST,
        /// Ranks called different things.
        DISAGREEMENT,
        /// Another group or rank failed first, or the caller stopped the work.
        ABORTED,
        /// The group was closed here.
        CLOSED,
        /// The mesh was arranged anew, and this group is not part of it.
        RETIRED,
        /// The bytes that arrived are not a frame of this mesh.
        PROTOCOL,
        /// A peer does not know the secret, or is of another incarnation.
        REFUSED,
        /// An engine cannot be used here.
        UNAVAILABLE,
        /// The store that ranks meet at is gone.
        STORE_LOST;

        /// The code that programs read: `limit-exceeded`.
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
