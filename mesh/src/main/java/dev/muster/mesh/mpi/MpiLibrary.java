// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.mpi;

import dev.muster.core.foreign.NativeLibrary;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.mpi.MpiAbi.MpiConstants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// A library of MPI that is loaded, and what its constants are. Safe for use by several threads, as the
/// library is once it is initialised; only platform threads may call it.
final class MpiLibrary {
    private static final int LONGEST_ERROR = 512;
    private static final int LONGEST_VERSION = 8_192;

    private final NativeLibrary library;
    private final MpiAbi flavour;
    private final MpiConstants constants;

    private MpiLibrary(NativeLibrary library) {
        this.library = library;
        this.flavour = findFlavour();
        this.constants = flavour.constants(library::address);
    }

    /// Loads the first of these libraries that is there; it stays loaded.
    ///
    /// @param names file names that the loader looks for, or paths
    /// @throws GroupException `unavailable` if there is none, or the one that was found is not a library of
    ///     MPI
    static MpiLibrary load(List<String> names) {
        return new MpiLibrary(
                NativeLibrary.load(
                        names,
                        reason -> new GroupException(
                                GroupError.UNAVAILABLE,
                                "MPI: " + reason
                                        + "; install Open MPI or MPICH, or set MUSTER_MPI_LIBRARY to the file of its library")));
    }

    /// Reports whether it goes on after a process was lost, with what its standard calls user-level failure mitigation
    /// (ULFM).
    boolean survivesLosses() {
        return library.has("MPIX_Comm_shrink");
    }

    /// Libraries of MPI 5 come twice: with their own binary interface, and with that of the standard. Both
    /// have all functions, so the library is asked; and that of Open MPI for the standard rests on the
    /// other, so it is asked first.
    private MpiAbi findFlavour() {
        if (hasStandardInterface()) {
            return MpiAbi.ABI;
        }
        return library.has("ompi_mpi_comm_world") ? MpiAbi.OPEN_MPI : MpiAbi.MPICH;
    }

    private boolean hasStandardInterface() {
        if (!library.has("MPI_Abi_get_version")) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment version = arena.allocate(ValueLayout.JAVA_INT, 2);
            boolean told =
                    function("MPI_Abi_get_version").succeeds(version.address(), version.address() + Integer.BYTES, 0);
            return told && version.get(ValueLayout.JAVA_INT, 0) > 0; // without it the version is negative
        }
    }

    /// A function of the library.
    MpiFunction function(String function) {
        return new MpiFunction(this, function, library.require(function));
    }

    MpiAbi flavour() {
        return flavour;
    }

    MpiConstants constants() {
        return constants;
    }

    /// Describes the library: its file, and the first line of its version text.
    String description() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(LONGEST_VERSION);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            function("MPI_Get_library_version").call(text.address(), length.address());
            String version = text.getString(0).lines().findFirst().orElse("of unknown version");
            return library.name() + ", " + version.strip().replaceAll("\\s+", " ");
        }
    }

    /// Returns the library's text for an error.
    String errorText(int status) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(LONGEST_ERROR);
            MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            boolean told = function("MPI_Error_string").succeeds(status, text.address(), length.address());
            return told ? text.getString(0).strip() : "error " + status;
        }
    }

    /// The number that a function put where it was told to.
    int number(MpiFunction function, long handle) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
            function.call(handle, number.address());
            return number.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /// The handle that lies at a place in memory.
    long handle(MemorySegment memory, long offset) {
        return flavour.handleBytes() == Integer.BYTES
                ? memory.get(ValueLayout.JAVA_INT, offset)
                : memory.get(ValueLayout.JAVA_LONG, offset);
    }
}
