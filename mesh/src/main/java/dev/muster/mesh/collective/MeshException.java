package dev.muster.mesh.collective;

import java.util.List;

/// A mesh could not do what it was asked to. The message names group, operation and the ranks that are missing; ranks
/// are those of the world.
///
/// @since 0.1
public final class MeshException extends RuntimeException {
    private static final long serialVersionUID = 1;

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
