package dev.muster.mesh.session;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Which engine carries the operations of groups.
///
/// @since 0.1
public enum EngineChoice {
    /// The best that all members of a group can use.
    AUTO,
    /// Threads of one process.
    LOCAL,
    /// Memory that processes of one host share.
    SHM,
    /// Sockets.
    TCP,
    /// Shared memory within hosts and sockets between them.
    HIER,
    /// Shared memory within hosts and MPI between them.
    HIER_MPI,
    /// Shared memory within hosts and Gloo between them.
    HIER_GLOO,
    /// A library of MPI, among processes that its mpirun started.
    MPI,
    /// Gloo, through its own library.
    GLOO,
    /// NCCL for buffers on NVIDIA's GPUs; other buffers go the way that would be chosen without it.
    NCCL,
    /// RCCL for buffers on AMD's GPUs. Not verified on hardware.
    RCCL;

    /// The word that people write: `auto`, `shm`, `hier-mpi`.
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Whether ranks must be started by a launcher of MPI.
    public boolean needsMpi() {
        return equals(MPI) || equals(HIER_MPI);
    }

    /// The choice of that name.
    public static Optional<EngineChoice> parse(String text) {
        return Arrays.stream(values())
                .filter(choice -> choice.text().equals(text))
                .findFirst();
    }
}
