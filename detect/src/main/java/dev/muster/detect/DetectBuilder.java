package dev.muster.detect;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.detect.host.Host;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Says what a detection asks and how long it may take. Immutable: each method makes a new one.
///
/// ```java
/// AcceleratorRegistry registry = DetectBuilder.none().with(Backend.CUDA).detect();
/// ```
///
/// @since 0.1
public final class DetectBuilder {
    /// How long a detection may take unless somebody says otherwise.
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(5);

    /// In the order of their declaration. No `EnumSet`, which reflects at start-up.
    private final List<Backend> backends;
    private final boolean systemIo;
    private final boolean commands;
    private final Duration limit;

    private DetectBuilder(List<Backend> backends, boolean systemIo, boolean commands, Duration limit) {
        this.backends = backends;
        this.systemIo = systemIo;
        this.commands = commands;
        this.limit = limit;
    }

    /// Asks every backend.
    public static DetectBuilder all() {
        return new DetectBuilder(List.of(Backend.values()), true, true, DEFAULT_LIMIT);
    }

    /// Asks no backend; the CPU is always there.
    public static DetectBuilder none() {
        return new DetectBuilder(List.of(), true, true, DEFAULT_LIMIT);
    }

    /// Asks a backend too.
    public DetectBuilder with(Backend backend) {
        List<Backend> more = new ArrayList<>();
        for (Backend each : Backend.values()) {
            if (each == backend || backends.contains(each)) {
                more.add(each);
            }
        }
        return new DetectBuilder(more, systemIo, commands, limit);
    }

    /// Does not ask a backend.
    public DetectBuilder without(Backend backend) {
        List<Backend> fewer = new ArrayList<>(backends);
        fewer.remove(backend);
        return new DetectBuilder(fewer, systemIo, commands, limit);
    }

    /// Leaves out network, storage and environment.
    public DetectBuilder withoutSystemIo() {
        return new DetectBuilder(backends, false, commands, limit);
    }

    /// Starts no process, whatever is installed. Files and native libraries are still asked.
    public DetectBuilder withoutCommands() {
        return new DetectBuilder(backends, systemIo, false, limit);
    }

    /// Says how long the detection may take.
    ///
    /// @throws IllegalArgumentException if the time is not positive
    public DetectBuilder within(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("a detection needs some time: " + time);
        }
        return new DetectBuilder(backends, systemIo, commands, time);
    }

    /// A detector of a host.
    ///
    /// @param log where it says what it did
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

    boolean asks(Backend backend) {
        return backends.contains(backend);
    }

    boolean asksSystemIo() {
        return systemIo;
    }

    Duration limit() {
        return limit;
    }

    /// What is asked, on one line: equal for equal questions. The time they may take is no part of it.
    String describe() {
        return backends + (systemIo ? " system-io" : "") + (commands ? " commands" : "");
    }
}
