// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.nio.file.Path;
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
    HostLibraries NONE = (names, folders) -> new NotFound();

    /// The first of some libraries that is there and that nobody else could have changed.
    ///
    /// @param names file names, the preferred one first, such as `libnvidia-ml.so.1`
    /// @param folders where the vendor puts it, beside the usual folders; absolute
    Outcome find(List<String> names, List<String> folders);

    /// What came of looking for a library.
    sealed interface Outcome {}

    /// The library is there.
    ///
    /// @param path where
    record Found(Path path) implements Outcome {}

    /// The library is not installed.
    record NotFound() implements Outcome {}

    /// The library is there but is not loaded.
    ///
    /// @param reason why: somebody else could have changed it
    record NotPermitted(String reason) implements Outcome {}
}
