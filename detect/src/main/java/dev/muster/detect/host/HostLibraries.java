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
    HostLibraries NONE = (names, folders) -> new HostAnswer.Missing<>();

    /// Finds the first of some libraries that exists and that only its owner could have changed.
    ///
    /// @param names file names, the preferred one first, such as `libnvidia-ml.so.1`
    /// @param folders the vendor's folders, beside the usual ones; absolute
    HostAnswer<Path> find(List<String> names, List<String> folders);
}
