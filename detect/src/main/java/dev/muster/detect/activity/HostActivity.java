// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.activity;

import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.MeminfoParser;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The current load of a host and the owners of its processes, from `/proc` of Linux. Where that
/// cannot be read, nothing is known. Safe to share between threads.
public final class HostActivity {
    private static final int MAX_STATUS = 1 << 14;
    private static final int MAX_COMMAND = 1 << 16;
    private static final int MAX_PASSWORDS = 1 << 20;
    private static final int MAX_SMALL = 1 << 12;
    private static final int MAX_MEMINFO = 1 << 16;
    private static final long MAX_NUMBER = 999_999_999_999_999L;
    /// Ticks of a second in `/proc/PID/stat`, on every architecture of Linux (`USER_HZ`).
    private static final long TICKS = 100;
    /// The start time's place behind the name, see proc(5).
    private static final int START = 19;

    private static final int USER_ID = 2;

    private final HostFiles files;
    private final Map<String, String> users = new HashMap<>();

    private HostActivity(HostFiles files) {
        this.files = files;
        // Names of users of a directory service stand elsewhere; those keep their numbers.
        for (String line :
                files.findText("/etc/passwd", MAX_PASSWORDS).orElse("").split("\n", -1)) {
            String[] fields = line.split(":", USER_ID + 2);
            if (fields.length > USER_ID + 1) {
                users.putIfAbsent(fields[USER_ID], fields[0]);
            }
        }
    }

    /// Of the host with these files. The names of its users are read once.
    public static HostActivity of(HostFiles files) {
        return new HostActivity(files);
    }

    /// A process; nothing where there is none with that number, or none that may be seen.
    public Optional<RunningProcess> findProcess(long pid) {
        String folder = "/proc/" + pid + "/";
        return files.findText(folder + "status", MAX_STATUS).map(status -> {
            String uid = field(status, "Uid").split("\\s", 2)[0];
            String name = field(status, "Name");
            String line = files.findText(folder + "cmdline", MAX_COMMAND)
                    .orElse("")
                    .replace('\0', ' ')
                    .strip();
            return new RunningProcess(
                    pid,
                    Amount.count(field(status, "PPid"), MAX_NUMBER).orElse(0L),
                    uid.isEmpty() ? null : users.getOrDefault(uid, uid),
                    line.isEmpty() ? "[" + name + "]" : line,
                    MeminfoParser.find(status, "VmRSS").orElse(null),
                    age(folder).orElse(null));
        });
    }

    /// Returns the load of the host; nothing if it is not readable.
    public Optional<HostLoad> findLoad() {
        Optional<Double> load =
                files.findText("/proc/loadavg", MAX_SMALL).flatMap(text -> Amount.decimal(text.split(" ", 2)[0]));
        Optional<String> memory = files.findText("/proc/meminfo", MAX_MEMINFO);
        Optional<Bytes> total = memory.flatMap(text -> MeminfoParser.find(text, "MemTotal"));
        Optional<Bytes> free = memory.flatMap(text -> MeminfoParser.find(text, "MemAvailable"));
        String name = files.findText("/proc/sys/kernel/hostname", MAX_SMALL)
                .orElse("")
                .strip();
        return load.isEmpty() || total.isEmpty() || free.isEmpty()
                ? Optional.empty()
                : Optional.of(new HostLoad(name, load.get(), total.get(), free.get(), uptime().orElse(Duration.ZERO)));
    }

    private Optional<Duration> uptime() {
        return files.findText("/proc/uptime", MAX_SMALL)
                .flatMap(text -> Amount.count(text.split("[. ]", 2)[0], MAX_NUMBER))
                .map(Duration::ofSeconds);
    }

    /// The name of a process may have blanks and brackets, so fields are counted from the last bracket on.
    private Optional<Duration> age(String folder) {
        String stat = files.findText(folder + "stat", MAX_SMALL).orElse("");
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return fields.length <= START
                ? Optional.empty()
                : Amount.count(fields[START], MAX_NUMBER)
                        .flatMap(ticks -> uptime().map(up -> up.minusSeconds(ticks / TICKS)))
                        .filter(age -> !age.isNegative());
    }

    private static String field(String status, String key) {
        for (String line : status.split("\n", -1)) {
            if (line.startsWith(key + ":")) {
                return line.substring(key.length() + 1).strip();
            }
        }
        return "";
    }

    /// A process of a host.
    ///
    /// @param pid its number
    /// @param parent the number of its parent; 0 where it has none that can be seen
    /// @param user the owner, by number if it has no name; null if unknown
    /// @param command its command line; its name in brackets where it has none
    /// @param memory the host memory it holds; null where unknown
    /// @param age time since the start; null if unknown
    public record RunningProcess(
            long pid,
            long parent,
            @Nullable String user,
            String command,
            @Nullable Bytes memory,
            @Nullable Duration age) {}

    /// The load of a host.
    ///
    /// @param name its name; blank where unknown
    /// @param oneMinute processes that ran or wanted to, on average over a minute
    /// @param memory its memory
    /// @param available memory that programs can still take
    /// @param uptime since when it runs; zero where unknown
    public record HostLoad(String name, double oneMinute, Bytes memory, Bytes available, Duration uptime) {}
}
