// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.HostLibraries;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.detect.probe.ProbeContext;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/// Contexts for tests of single probes.
public final class Contexts {
    private Contexts() {}

    public static ProbeContext of(HostSketch host) {
        return of(host.host());
    }

    public static ProbeContext of(HostFiles files, Clock clock) {
        return of(host(files, clock));
    }

    public static Host host(HostFiles files, Clock clock) {
        return new Host(OperatingSystem.LINUX, "amd64", files, HostCommands.NONE, HostLibraries.NONE, Map.of(), clock);
    }

    private static ProbeContext of(Host host) {
        return new ProbeContext(host, Deadline.in(Duration.ofSeconds(5)), System.getLogger("test"));
    }
}
