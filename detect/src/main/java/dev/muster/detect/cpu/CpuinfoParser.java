package dev.muster.detect.cpu;

import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Reads `/proc/cpuinfo`: one block of `key : value` lines for each logical processor, with other keys on each
/// architecture.
final class CpuinfoParser {
    private static final int MAX_NAME = 256;

    private CpuinfoParser() {}

    /// The processor's name, under whichever key this architecture has it.
    static Optional<String> findModelName(String text) {
        for (String key : new String[] {"model name", "cpu model", "Model", "cpu"}) {
            Optional<String> name = findFirst(text, key);
            if (name.isPresent()) {
                return name;
            }
        }
        return Optional.empty();
    }

    /// Physical cores: distinct pairs of package and core; logical processors where the file has no such pairs.
    static OptionalLong countCores(String text) {
        Set<String> cores = new HashSet<>();
        long processors = 0;
        String socket = "";
        for (String line : text.split("\n")) {
            if (isProcessor(keyOf(line))) {
                processors++;
            } else if (keyOf(line).equals("physical id")) {
                socket = valueOf(line);
            } else if (keyOf(line).equals("core id")) {
                cores.add(socket + "/" + valueOf(line));
            }
        }
        if (!cores.isEmpty()) {
            return OptionalLong.of(cores.size());
        }
        return processors > 0 ? OptionalLong.of(processors) : OptionalLong.empty();
    }

    /// Old kernels of mainframes write the number into the key.
    private static boolean isProcessor(String key) {
        return key.equals("processor") || key.startsWith("processor ");
    }

    private static Optional<String> findFirst(String text, String key) {
        for (String line : text.split("\n")) {
            if (keyOf(line).equals(key)) {
                String name = valueOf(line);
                return name.isEmpty()
                        ? Optional.empty()
                        : Optional.of(name.substring(0, Math.min(name.length(), MAX_NAME)));
            }
        }
        return Optional.empty();
    }

    private static String keyOf(String line) {
        int colon = line.indexOf(':');
        return colon < 0 ? "" : line.substring(0, colon).strip();
    }

    private static String valueOf(String line) {
        return line.substring(line.indexOf(':') + 1).strip();
    }
}
