package dev.muster.detect.host;

import java.nio.file.Path;

/// What came of looking for a native library.
///
/// @since 0.1
public sealed interface LibraryOutcome {
    /// The library is there.
    ///
    /// @param path where
    record Found(Path path) implements LibraryOutcome {}

    /// The library is not installed.
    record NotFound() implements LibraryOutcome {}

    /// The library is there but is not loaded.
    ///
    /// @param reason why: somebody else could have changed it
    record NotPermitted(String reason) implements LibraryOutcome {}
}
