// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.activity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostFiles;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HostActivityTest {
    private final Map<String, String> files = new HashMap<>(Map.of(
            "/etc/passwd", "root:x:0:0:root:/root:/bin/sh\nalice:x:1000:1000::/home/alice:/bin/sh\nbroken\n",
            "/proc/uptime", "5000.25 100.0\n",
            "/proc/loadavg", "3.25 2.00 1.00 2/900 4242\n",
            "/proc/sys/kernel/hostname", "box\n",
            "/proc/meminfo", "MemTotal: 1048576 kB\nMemFree: 1 kB\nMemAvailable: 524288 kB\n",
            "/proc/42/status", "Name:\tpython3\nPPid:\t7\nUid:\t1000\t1000\t1000\t1000\nVmRSS:\t 2048 kB\n",
            "/proc/42/cmdline", "python3\0train.py\0--lr\0001\0",
            "/proc/42/stat", "42 (a) b (c)) S 7 42 42 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 400000 0 0\n"));

    @Test
    void tellsWhoseAProcessIsAndWhatItRuns() {
        assertThat(activity().findProcess(42))
                .contains(new HostActivity.RunningProcess(
                        42, 7, "alice", "python3 train.py --lr 1", Bytes.ofMib(2), Duration.ofSeconds(1000)));
    }

    @Test
    void usersWithoutANameKeepTheirNumberAndKernelThreadsTheirName() {
        files.put("/proc/42/status", "Name:\tnv_queue\nPPid:\t2\nUid:\t31337\t0\t0\t0\n");
        files.put("/proc/42/cmdline", "");
        files.remove("/proc/42/stat");

        assertThat(activity().findProcess(42))
                .contains(new HostActivity.RunningProcess(42, 2, "31337", "[nv_queue]", null, null));
    }

    @Test
    void aProcessThatEndedIsNone() {
        assertThat(activity().findProcess(43)).isEmpty();
    }

    @Test
    void nonsenseIsUnknown() {
        files.put("/proc/42/status", "\0\0\n:\n");
        files.put("/proc/42/stat", "42 (x) S 7");

        assertThat(activity().findProcess(42)).hasValueSatisfying(process -> {
            assertThat(process.user()).isNull();
            assertThat(process.parent()).isZero();
            assertThat(process.age()).isNull();
        });
    }

    @Test
    void tellsHowBusyTheHostIs() {
        assertThat(activity().findLoad())
                .contains(new HostActivity.HostLoad(
                        "box", 3.25, Bytes.ofGib(1), Bytes.ofMib(512), Duration.ofSeconds(5000)));
        files.remove("/proc/loadavg");
        assertThat(activity().findLoad()).isEmpty();
    }

    private HostActivity activity() {
        return HostActivity.of(new HostFiles() {
            @Override
            public HostAnswer<String> read(String path, int maxBytes) {
                String text = files.get(path);
                return text == null ? new HostAnswer.Missing<>() : new HostAnswer.Found<>(text);
            }

            @Override
            public HostAnswer<List<String>> list(String path) {
                return new HostAnswer.Missing<>();
            }

            @Override
            public boolean exists(String path) {
                return files.containsKey(path);
            }

            @Override
            public Optional<String> findLink(String path) {
                return Optional.empty();
            }

            @Override
            public Optional<String> findRealPath(String path) {
                return Optional.of(path);
            }
        });
    }
}
