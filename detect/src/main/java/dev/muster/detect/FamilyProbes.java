// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.detect.probe.Probe;
import dev.muster.detect.probe.ProbeReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Detects the devices of a family on first use. Safe to share between threads: callers that want
/// the same family at the same time share one detection, and no lock is held meanwhile.
final class FamilyProbes {
    private final Detector detector;
    private final long begunAt;
    private final Instant begun;
    private final ProbeReport cpu;
    /// Backends by the families of what they find: Apple's finds GPUs and NPUs, and is asked once for both.
    private final Map<Set<AcceleratorFamily>, Once<Map<String, ProbeReport>>> groups = new HashMap<>();

    private final Map<AcceleratorFamily, Once<List<AcceleratorProfile>>> families =
            new EnumMap<>(AcceleratorFamily.class);

    /// Starts with the CPU.
    ///
    /// @param begunAt start, on a monotonic clock
    FamilyProbes(Detector detector, long begunAt) {
        this.detector = detector;
        this.begunAt = begunAt;
        DetectionRun inquiry = detector.startRun(List.of());
        this.begun = inquiry.context().now();
        this.cpu = inquiry.readHostFacts(false).cpu();
        for (Probe probe : detector.request().probes()) {
            groups.computeIfAbsent(familiesOf(probe), key -> new Once<>(detector, () -> ask(key)));
        }
        for (AcceleratorFamily family : AcceleratorFamily.values()) {
            families.put(family, new Once<>(detector, () -> assemble(family)));
        }
    }

    long begunAt() {
        return begunAt;
    }

    /// Those of a family; asks the host on the first call.
    List<AcceleratorProfile> of(AcceleratorFamily family) {
        return once(family).get();
    }

    /// The CPU and the devices of the families asked so far. Asks nothing.
    List<AcceleratorProfile> probed() {
        List<AcceleratorProfile> profiles = new ArrayList<>(cpu.profiles());
        for (AcceleratorFamily family : AcceleratorFamily.values()) {
            if (family != AcceleratorFamily.CPU) {
                once(family).find().ifPresent(profiles::addAll);
            }
        }
        return List.copyOf(profiles);
    }

    private Once<List<AcceleratorProfile>> once(AcceleratorFamily family) {
        Once<List<AcceleratorProfile>> profiles = families.get(family);
        if (profiles == null) {
            throw new AssertionError(family);
        }
        return profiles;
    }

    /// Those of other kinds may be of any family.
    private static Set<AcceleratorFamily> familiesOf(Probe probe) {
        Set<AcceleratorFamily> found = EnumSet.noneOf(AcceleratorFamily.class);
        probe.kinds().forEach(kind -> found.add(kind.family()));
        return probe.kinds().contains(AcceleratorKind.OTHER) ? EnumSet.allOf(AcceleratorFamily.class) : found;
    }

    private Map<String, ProbeReport> ask(Set<AcceleratorFamily> group) {
        DetectionRun inquiry = detector.startRun(detector.request().probes().stream()
                .filter(probe -> familiesOf(probe).equals(group))
                .toList());
        List<ProbeRun> runs = inquiry.startProbes();
        List<ProbeReport> answers = inquiry.await(runs);
        Map<String, ProbeReport> reports = new HashMap<>();
        for (int i = 0; i < runs.size(); i++) {
            reports.put(runs.get(i).name(), answers.get(i));
        }
        return reports;
    }

    private List<AcceleratorProfile> assemble(AcceleratorFamily family) {
        List<ProbeReport> reports = reports(EnumSet.of(family));
        DetectionRun inquiry = detector.startRun(List.of());
        return inquiry.assembleProfiles(inquiry.readHostFacts(false).withCpu(cpu), reports).stream()
                .filter(profile -> profile.accelerator().family() == family)
                .toList();
    }

    /// Returns the whole registry: detects the families not requested so far, and the host's facts. Its
    /// time is that of the oldest fact.
    AcceleratorRegistry whole() {
        List<ProbeReport> reports = reports(EnumSet.allOf(AcceleratorFamily.class));
        DetectionRun inquiry = detector.startRun(List.of());
        HostFacts hostFacts =
                inquiry.readHostFacts(detector.request().asksSystemIo()).withCpu(cpu);
        return inquiry.assemble(hostFacts, reports, begun);
    }

    /// In the order of the probes, for those that recognise the devices of others stand last.
    private List<ProbeReport> reports(Set<AcceleratorFamily> wanted) {
        Map<String, ProbeReport> reports = new HashMap<>();
        groups.forEach((found, group) -> {
            if (found.stream().anyMatch(wanted::contains)) {
                reports.putAll(group.get());
            }
        });
        List<ProbeReport> ordered = new ArrayList<>();
        for (Probe probe : detector.request().probes()) {
            ProbeReport report = reports.get(probe.name());
            if (report != null) {
                ordered.add(report);
            }
        }
        return ordered;
    }

    /// Something that is found out at most once. An interrupted attempt does not count.
    private static final class Once<T> {
        private final SingleFlight<T> flight;
        private final Supplier<T> work;
        private volatile @Nullable T value;

        Once(Detector detector, Supplier<T> work) {
            this.flight = new SingleFlight<>(detector.maxWait());
            this.work = work;
        }

        Optional<T> find() {
            return Optional.ofNullable(value);
        }

        T get() {
            T known = value;
            return known != null ? known : flight.join(this::findOut);
        }

        private T findOut() {
            T known = value;
            if (known != null) {
                return known;
            }
            T found = work.get();
            if (!Thread.currentThread().isInterrupted()) {
                value = found;
            }
            return found;
        }
    }
}
