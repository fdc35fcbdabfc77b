package dev.muster.mesh.collective;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/// A mesh could not do what it was asked to. The message names group, operation and the ranks that are missing; ranks
/// are those of the world.
///
/// @since 0.1
public final class MeshException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private static final String OVERDUE = " did not end within ";

    private final MeshError error;

    @SuppressWarnings("serial") // lists that List.of and copyOf make can be written
    private final List<Integer> missingRanks;

    /// A failure of which no single rank is the cause.
    public MeshException(MeshError error, String message) {
        this(error, message, List.of());
    }

    /// A failure with the ranks that did not come.
    public MeshException(MeshError error, String message, List<Integer> missingRanks) {
        super(message);
        this.error = error;
        this.missingRanks = List.copyOf(missingRanks);
    }

    /// A failure with what caused it.
    public MeshException(MeshError error, String message, Throwable cause) {
        super(message, cause);
        this.error = error;
        this.missingRanks = List.of();
    }

    /// A limit that passed.
    ///
    /// @param what what did not end: `group world: all-reduce of 10 float32, sum #7`
    /// @param missing the ranks of the world that did not come
    public static MeshException overdue(String what, Duration limit, Collection<Integer> missing) {
        List<Integer> ranks = missing.stream().sorted().distinct().toList();
        return new MeshException(MeshError.LIMIT_EXCEEDED, what + OVERDUE + Spans.text(limit) + absent(ranks), ranks);
    }

    /// The same limit that passed, because of other ranks than it seemed.
    public MeshException becauseOf(Collection<Integer> culprits) {
        String message = String.valueOf(getMessage());
        int end = message.indexOf(": rank", message.indexOf(OVERDUE));
        List<Integer> ranks = culprits.stream().sorted().distinct().toList();
        return new MeshException(error, (end < 0 ? message : message.substring(0, end)) + absent(ranks), ranks);
    }

    private static String absent(List<Integer> ranks) {
        String who = ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return switch (ranks.size()) {
            case 0 -> "";
            case 1 -> ": rank " + who + " has not come";
            default -> ": ranks " + who + " have not come";
        };
    }

    /// What kind of failure it is.
    public MeshError error() {
        return error;
    }

    /// The ranks of the world that had not come, ascending; empty where that is not what went wrong.
    public List<Integer> missingRanks() {
        return missingRanks;
    }

    /// The same failure, thrown again for a later call.
    MeshException again() {
        MeshException later = new MeshException(error, String.valueOf(getMessage()), missingRanks);
        later.initCause(this);
        return later;
    }
}
