package dev.muster.mesh.collective;

import java.util.Locale;

/// What went wrong in a mesh.
///
/// @since 0.1
public enum MeshError {
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
    /// What arrived is no frame of this mesh.
    PROTOCOL,
    /// A peer does not know the secret, or is of another incarnation.
    REFUSED,
    /// An engine cannot be used here.
    UNAVAILABLE,
    /// The store that ranks meet at is gone.
    STORE_LOST;

    /// The code that programs read: `limit-exceeded`.
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
