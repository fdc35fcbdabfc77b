package dev.muster.mesh.mpi;

import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.launch.LaunchSource;
import java.util.List;

/// Which files may be the library of MPI to use.
public final class MpiLibraries {
    private static final String OPEN_MPI = "libmpi.so.40";
    private static final String ABI = "libmpi_abi.so.1";
    private static final String ABI_BEFORE_THE_STANDARD = "libmpi_abi.so.0";
    private static final String ABI_OF_ANY_VERSION = "libmpi_abi.so";
    private static final String MPICH = "libmpich.so.12";
    private static final String MPICH_COMPATIBLE = "libmpi.so.12";

    private MpiLibraries() {}

    /// All that are known, the most widespread first.
    public static List<String> usual() {
        return List.of(OPEN_MPI, ABI, ABI_BEFORE_THE_STANDARD, ABI_OF_ANY_VERSION, MPICH, MPICH_COMPATIBLE);
    }

    /// The one that `MUSTER_MPI_LIBRARY` names; else all, those first that belong to who started this
    /// process.
    public static List<String> of(LaunchContext context) {
        return context.findSetting("MUSTER_MPI_LIBRARY")
                .map(List::of)
                .orElseGet(() -> context.source().equals(LaunchSource.MPICH)
                        ? List.of(MPICH, MPICH_COMPATIBLE, ABI, ABI_BEFORE_THE_STANDARD, ABI_OF_ANY_VERSION, OPEN_MPI)
                        : usual());
    }
}
