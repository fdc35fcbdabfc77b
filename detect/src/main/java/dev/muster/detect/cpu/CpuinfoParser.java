// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cpu;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// Reads `/proc/cpuinfo`: one block of `key : value` lines for each logical processor, with other keys on each
/// architecture. One pass: machines of a thousand processors have megabytes of it.
final class CpuinfoParser {
    private static final int MAX_NAME = 256;
    /// The keys of the name on various architectures, the best first.
    private static final String[] NAME_KEYS = {"model name", "cpu model", "Model", "cpu"};

    private final String[] names = {"", "", "", ""};
    private final Set<String> cores = new HashSet<>();
    private final Set<String> sockets = new HashSet<>();
    private String socket = "";
    private String flags = "";
    private long threads;

    private CpuinfoParser() {}

    static Cpu parse(String text) {
        CpuinfoParser parser = new CpuinfoParser();
        int start = 0;
        while (start < text.length()) {
            int end = text.indexOf('\n', start);
            end = end < 0 ? text.length() : end;
            int colon = text.indexOf(':', start);
            if (colon >= 0 && colon < end) {
                parser.line(text.substring(start, colon).strip(), text, colon + 1, end);
            }
            start = end + 1;
        }
        return parser.finish();
    }

    private void line(String key, String text, int from, int end) {
        // Old kernels of mainframes write the number into the key.
        if (key.equals("processor") || key.startsWith("processor ")) {
            threads++;
        } else if (key.equals("physical id")) {
            socket = text.substring(from, end).strip();
            sockets.add(socket);
        } else if (key.equals("core id")) {
            cores.add(socket + "/" + text.substring(from, end).strip());
        } else if (flags.isEmpty() && (key.equals("flags") || key.equals("Features"))) {
            flags = text.substring(from, end).strip();
        } else {
            name(key, text, from, end);
        }
    }

    private void name(String key, String text, int from, int end) {
        for (int i = 0; i < NAME_KEYS.length; i++) {
            if (names[i].isEmpty() && NAME_KEYS[i].equals(key)) {
                String name = text.substring(from, end).strip();
                names[i] = name.substring(0, Math.min(name.length(), MAX_NAME));
            }
        }
    }

    private Cpu finish() {
        String name = "";
        for (String candidate : names) {
            name = name.isEmpty() ? candidate : name;
        }
        return new Cpu(name, threads, cores.size(), sockets.size(), flags);
    }

    /// The content of `/proc/cpuinfo`.
    ///
    /// @param modelName the processor's name; blank where the file has none
    /// @param threads logical processors
    /// @param cores physical cores; 0 where the file does not tell them from threads
    /// @param sockets processors; 0 where the file does not tell
    /// @param flags the abilities in the kernel's words, with blanks between; blank where the file has none
    record Cpu(String modelName, long threads, long cores, long sockets, String flags) {
        Optional<String> findModelName() {
            return modelName.isEmpty() ? Optional.empty() : Optional.of(modelName);
        }

        /// Physical cores; logical processors where the file does not tell them apart.
        Optional<Long> countCores() {
            return count(cores > 0 ? cores : threads);
        }

        Optional<Long> countThreads() {
            return count(threads);
        }

        Optional<Long> countSockets() {
            return count(sockets);
        }

        private static Optional<Long> count(long value) {
            return value > 0 ? Optional.of(value) : Optional.empty();
        }
    }
}
