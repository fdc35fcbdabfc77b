package dev.muster.detect.host;

import java.util.List;

/// Finds native libraries of a host. Implementations are safe to share between threads.
///
/// @since 0.1
public interface HostLibraries {
    /// Those of this machine.
    static HostLibraries ofThisMachine() {
        return new LiveLibraries();
    }

    /// No library can be loaded: what a recorded host has.
    HostLibraries NONE = (names, folders) -> new LibraryOutcome.NotFound();

    /// The first of some libraries that is there and that nobody else could have changed.
    ///
    /// @param names file names, the preferred one first, such as `libnvidia-ml.so.1`
    /// @param folders where the vendor puts it, beside the usual folders; absolute
    LibraryOutcome find(List<String> names, List<String> folders);
}
