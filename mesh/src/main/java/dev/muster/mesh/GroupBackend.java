package dev.muster.mesh;

import java.util.Locale;

/// What carries the messages of a group.
///
/// @since 0.1
public enum GroupBackend {
    /// NVIDIA's library, between its GPUs.
    NCCL,
    /// Gloo, between processors over TCP.
    GLOO,
    /// A library of the Message Passing Interface.
    MPI,
    /// A stand-in that a test supplies.
    MOCK,
    /// Threads of one process.
    LOCAL,
    /// Nobody: every rank is taken to hold what this one holds.
    FAKE,
    /// Memory that processes of one host share.
    SHM,
    /// Sockets.
    TCP,
    /// Shared memory inside a host, sockets between hosts.
    HIER,
    /// AMD's library, between its GPUs.
    RCCL;

    private final String text = name().toLowerCase(Locale.ROOT);

    /// The backend as it is written, such as `nccl`.
    public String text() {
        return text;
    }
}
