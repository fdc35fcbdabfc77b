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

    /// Finds the first of some libraries that exists and that only its owner could have changed.
    ///
    /// @param names file names, the preferred one first, such as `libnvidia-ml.so.1`
    /// @param folders the vendor's folders, beside the usual ones; absolute
    Outcome find(List<String> names, List<String> folders);

    /// The result of looking for a library.
    sealed interface Outcome {}

    /// The library is there.
    ///
    /// @param path its path
    record Found(Path path) implements Outcome {}

    /// The library is not installed.
    record NotFound() implements Outcome {}

    /// The library is there but is not loaded.
    ///
    /// @param reason the reason: another user could have changed it
    record NotPermitted(String reason) implements Outcome {}
}
