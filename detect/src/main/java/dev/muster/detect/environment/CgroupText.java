// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.environment;

import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import java.util.Optional;

/// Reads control groups: which group a process is in, and what a group's limits are.
final class CgroupText {
    /// The old interface writes the largest number of whole pages without a limit.
    private static final long NO_LIMIT = 1L << 62;

    private static final int FIELDS = 3;
    private static final double MOST_CPUS = 1 << 16;

    private CgroupText() {}

    /// The path of a process's group for a controller in `/proc/self/cgroup`; the unified group's for a blank
    /// controller.
    static Optional<String> findPath(String text, String controller) {
        for (String line : text.split("\n")) {
            String[] fields = line.strip().split(":", FIELDS);
            if (fields.length == FIELDS && hasController(fields[1], controller) && fields[2].startsWith("/")) {
                return Optional.of(fields[2]);
            }
        }
        return Optional.empty();
    }

    private static boolean hasController(String list, String controller) {
        return controller.isEmpty() ? list.isEmpty() : ("," + list + ",").contains("," + controller + ",");
    }

    /// A limit in bytes; `max` and the old interface's largest number are none.
    static Optional<Bytes> parseMemoryLimit(String text) {
        return Amount.count(text, NO_LIMIT)
                .filter(bytes -> bytes > 0 && bytes < NO_LIMIT)
                .map(Bytes::of);
    }

    /// The value of a key in `memory.stat`.
    static Optional<String> findValue(String text, String key) {
        for (String line : text.split("\n")) {
            if (line.startsWith(key + " ")) {
                return Optional.of(line.substring(key.length()).strip());
            }
        }
        return Optional.empty();
    }

    /// A limit such as `150000 100000`: how many microseconds of work in how many of time.
    static Optional<Double> parseCpuLimit(String text) {
        String form = text.strip();
        int blank = form.indexOf(' ');
        return blank < 0 ? Optional.empty() : cpuLimit(form.substring(0, blank), form.substring(blank + 1));
    }

    /// The same from the two files of the old interface; a quota of -1 is none.
    static Optional<Double> cpuLimit(String quota, String period) {
        return Amount.count(quota, Long.MAX_VALUE)
                .flatMap(work -> Amount.count(period, Long.MAX_VALUE).map(time -> (double) work / time))
                .filter(cpus -> cpus > 0 && cpus < MOST_CPUS);
    }
}
