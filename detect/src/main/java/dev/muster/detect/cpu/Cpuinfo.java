package dev.muster.detect.cpu;

import java.util.Optional;
import java.util.OptionalLong;

/// What `/proc/cpuinfo` says.
///
/// @param modelName the processor's name; blank where the file has none
/// @param threads logical processors
/// @param cores physical cores; 0 where the file does not tell them from threads
/// @param sockets processors; 0 where the file does not tell
/// @param flags the abilities in the kernel's words, with blanks between; blank where the file has none
record Cpuinfo(String modelName, long threads, long cores, long sockets, String flags) {
    Optional<String> findModelName() {
        return modelName.isEmpty() ? Optional.empty() : Optional.of(modelName);
    }

    /// Physical cores; logical processors where the file does not tell them apart.
    OptionalLong countCores() {
        return count(cores > 0 ? cores : threads);
    }

    OptionalLong countThreads() {
        return count(threads);
    }

    OptionalLong countSockets() {
        return count(sockets);
    }

    private static OptionalLong count(long value) {
        return value > 0 ? OptionalLong.of(value) : OptionalLong.empty();
    }
}
