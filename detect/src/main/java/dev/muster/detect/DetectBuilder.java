// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.detect.host.DetectException;
import dev.muster.detect.host.Host;
import dev.muster.detect.probe.Probe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;

/// Says what a detection asks and how long it may take. Immutable: each method makes a new one.
///
/// ```java
/// AcceleratorRegistry registry = DetectBuilder.none().with(Backend.CUDA).detect();
/// ```
///
/// @since 0.1
public final class DetectBuilder {
    /// Default limit for a detection.
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(5);

    /// In the order of their declaration. No `EnumSet`, which reflects at start-up.
    private final List<Backend> backends;
    /// Those that Muster does not bring.
    private final List<Probe> others;
    private final boolean systemIo;
    private final boolean commands;
    private final boolean telemetry;
    private final Duration limit;

    private DetectBuilder(
            List<Backend> backends,
            List<Probe> others,
            boolean systemIo,
            boolean commands,
            boolean telemetry,
            Duration limit) {
        this.backends = backends;
        this.others = others;
        this.systemIo = systemIo;
        this.commands = commands;
        this.telemetry = telemetry;
        this.limit = limit;
    }

    /// Asks every backend.
    public static DetectBuilder all() {
        return new DetectBuilder(List.of(Backend.values()), List.of(), true, true, false, DEFAULT_LIMIT);
    }

    /// Asks no backend; the CPU is always there.
    public static DetectBuilder none() {
        return new DetectBuilder(List.of(), List.of(), true, true, false, DEFAULT_LIMIT);
    }

    /// Asks a backend too.
    public DetectBuilder with(Backend backend) {
        List<Backend> more = new ArrayList<>();
        for (Backend each : Backend.values()) {
            if (each == backend || backends.contains(each)) {
                more.add(each);
            }
        }
        return new DetectBuilder(more, others, systemIo, commands, telemetry, limit);
    }

    /// Adds a third-party probe.
    ///
    /// @throws IllegalArgumentException if another probe has its name
    public DetectBuilder with(Probe probe) {
        List<Probe> more = new ArrayList<>(others);
        more.add(probe);
        DetectBuilder builder = new DetectBuilder(backends, List.copyOf(more), systemIo, commands, telemetry, limit);
        builder.requireNames();
        return builder;
    }

    /// Asks the probes that other jars on the class path or modules provide as services. Not asked otherwise: to look
    /// for them takes longer than to detect.
    ///
    /// @throws DetectException if one of them cannot be made
    /// @throws IllegalArgumentException if two have the same name
    public DetectBuilder withInstalled() {
        DetectBuilder builder = this;
        try {
            for (Probe probe : ServiceLoader.load(Probe.class)) {
                builder = builder.with(probe);
            }
        } catch (ServiceConfigurationError e) {
            throw new DetectException("an installed probe cannot be used: " + e.getMessage(), e);
        }
        return builder;
    }

    private void requireNames() {
        Set<String> names = new HashSet<>();
        for (Backend backend : Backend.values()) {
            names.add(backend.text());
        }
        for (Probe probe : others) {
            if (!names.add(probe.name())) {
                throw new IllegalArgumentException("duplicate probe name: " + probe.name());
            }
        }
    }

    /// Does not ask a backend.
    public DetectBuilder without(Backend backend) {
        List<Backend> fewer = new ArrayList<>(backends);
        fewer.remove(backend);
        return new DetectBuilder(fewer, others, systemIo, commands, telemetry, limit);
    }

    /// Leaves out network, storage and environment.
    public DetectBuilder withoutSystemIo() {
        return new DetectBuilder(backends, others, false, commands, telemetry, limit);
    }

    /// Starts no process, even where tools are installed. Files and native libraries are still read.
    public DetectBuilder withoutCommands() {
        return new DetectBuilder(backends, others, systemIo, false, telemetry, limit);
    }

    /// Asks for telemetry too: energy, encoder, decoder and memory utilization, PCIe throughput, traffic of
    /// fabrics, remapped rows. Not asked otherwise: drivers measure some of it for 20 ms to a second while they
    /// are asked.
    public DetectBuilder withTelemetry() {
        return new DetectBuilder(backends, others, systemIo, commands, true, limit);
    }

    /// Says how long the detection may take.
    ///
    /// @throws IllegalArgumentException if the time is not positive
    public DetectBuilder within(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("the time limit must be positive: " + time);
        }
        return new DetectBuilder(backends, others, systemIo, commands, telemetry, time);
    }

    /// A detector of a host.
    ///
    /// @param log destination of log messages
    public Detector build(Host host, System.Logger log) {
        return new Detector(commands ? host : host.withoutCommands(), this, log);
    }

    /// A detector of this machine that logs to the logger `dev.muster.detect`.
    public Detector build() {
        System.Logger log = System.getLogger("dev.muster.detect");
        return build(Detector.thisHost(), log);
    }

    /// Detects the devices of this machine.
    public AcceleratorRegistry detect() {
        return build().detect();
    }

    /// In the order in which they are asked.
    List<Probe> probes() {
        List<Probe> probes = new ArrayList<>();
        for (Backend backend : backends) {
            if (!backend.isFallback()) {
                probes.add(backend.probe());
            }
        }
        probes.addAll(others);
        for (Backend backend : backends) {
            if (backend.isFallback()) {
                probes.add(backend.probe());
            }
        }
        return probes;
    }

    boolean asksSystemIo() {
        return systemIo;
    }

    boolean asksTelemetry() {
        return telemetry;
    }

    /// Returns the limit for the detection.
    public Duration limit() {
        return limit;
    }

    /// Returns the question on one line: equal for equal questions. The time limit is not part of it.
    String describe() {
        StringBuilder text = new StringBuilder(backends.toString());
        for (Probe probe : others) {
            text.append(' ').append(probe.name());
        }
        return text.append(systemIo ? " system-io" : "")
                .append(commands ? " commands" : "")
                .append(telemetry ? " telemetry" : "")
                .toString();
    }
}
