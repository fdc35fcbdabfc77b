package dev.muster.detect.host;

/// What came of reading a file.
///
/// @since 0.1
public sealed interface FileOutcome {
    /// The file was read.
    ///
    /// @param text its content; bytes that are not UTF-8 are replaced
    record Content(String text) implements FileOutcome {}

    /// There is no such file.
    record Missing() implements FileOutcome {}

    /// The file is there but this process may not read it.
    record NotPermitted() implements FileOutcome {}

    /// The file is there but could not be read.
    ///
    /// @param message what was wrong
    record Unreadable(String message) implements FileOutcome {}
}
