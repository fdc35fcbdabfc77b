package dev.muster.detect.host;

/// Reads files of a host. Implementations are safe to share between threads.
///
/// @since 0.1
public interface HostFiles {
    /// Reads a small file as text.
    ///
    /// @param path absolute path on the host, such as `/proc/meminfo`
    /// @param maxBytes the most that is read; a longer file is not read at all
    FileOutcome read(String path, int maxBytes);
}
