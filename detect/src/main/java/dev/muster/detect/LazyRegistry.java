package dev.muster.detect;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.detect.cpu.CpuProbe;
import dev.muster.detect.probe.Probe;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
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

/// Asks for the devices of a family when somebody first wants them, and remembers them for good. Safe to share between
/// threads: callers that want the same family at the same time share one asking, and no lock is held meanwhile.
///
/// ```java
/// LazyRegistry lazy = LazyRegistry.of(Detector.ofThisHost());
/// List<AcceleratorProfile> gpus = lazy.byFamily(AcceleratorFamily.GPU);
/// ```
///
/// @since 0.1
public final class LazyRegistry {
    private final Detector detector;
    private final ProbeContext begun;
    private final ProbeReport cpu;
    /// Backends by the families of what they find: Apple's finds GPUs and NPUs, and is asked once for both.
    private final Map<Set<AcceleratorFamily>, Once<Map<String, ProbeReport>>> groups = new HashMap<>();

    private final Map<AcceleratorFamily, Once<List<AcceleratorProfile>>> families =
            new EnumMap<>(AcceleratorFamily.class);
    private final Once<AcceleratorRegistry> whole;

    private LazyRegistry(Detector detector) {
        this.detector = detector;
        this.begun = detector.newContext();
        this.cpu = new CpuProbe().probe(begun);
        for (Probe probe : detector.request().probes()) {
            groups.computeIfAbsent(familiesOf(probe), key -> new Once<>(detector, () -> ask(key)));
        }
        for (AcceleratorFamily family : AcceleratorFamily.values()) {
            families.put(family, new Once<>(detector, () -> assemble(family)));
        }
        this.whole = new Once<>(detector, this::assemble);
    }

    /// Starts with the CPU.
    ///
    /// @param detector says which host and which backends may be asked, and how long each family may take
    public static LazyRegistry of(Detector detector) {
        return new LazyRegistry(detector);
    }

    /// The available devices of a family; asks the host on the first call.
    public List<AcceleratorProfile> byFamily(AcceleratorFamily family) {
        return of(family).get().stream().filter(AcceleratorProfile::available).toList();
    }

    /// The CPU and the devices of the families asked so far. Asks nothing.
    public List<AcceleratorProfile> probedProfiles() {
        Optional<AcceleratorRegistry> registry = whole.find();
        if (registry.isPresent()) {
            return registry.get().profiles();
        }
        List<AcceleratorProfile> profiles = new ArrayList<>(cpu.profiles());
        for (AcceleratorFamily family : AcceleratorFamily.values()) {
            if (family != AcceleratorFamily.CPU) {
                of(family).find().ifPresent(profiles::addAll);
            }
        }
        return List.copyOf(profiles);
    }

    /// The whole registry: asks for the families that nobody wanted so far, and once for what stands around the
    /// devices. Its time is that of the oldest fact.
    public AcceleratorRegistry toRegistry() {
        return whole.get();
    }

    private Once<List<AcceleratorProfile>> of(AcceleratorFamily family) {
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
        ProbeContext context = detector.newContext();
        List<ProbeRun> runs = new ArrayList<>();
        for (Probe probe : detector.request().probes()) {
            if (familiesOf(probe).equals(group) && probe.hasSigns(context)) {
                runs.add(detector.start(probe, context));
            }
        }
        Map<String, ProbeReport> reports = new HashMap<>();
        runs.forEach(run -> reports.put(run.name(), Detector.await(run, context)));
        return reports;
    }

    private List<AcceleratorProfile> assemble(AcceleratorFamily family) {
        Detector.Assembly assembly = new Detector.Assembly(detector.newContext());
        assembly.add("cpu", cpu);
        addReports(assembly, EnumSet.of(family));
        return assembly.profiles().stream()
                .filter(profile -> profile.accelerator().family() == family)
                .toList();
    }

    private AcceleratorRegistry assemble() {
        Detector.Assembly assembly = new Detector.Assembly(detector.newContext());
        assembly.add("cpu", cpu);
        if (detector.request().asksSystemIo()) {
            assembly.addSystemIo();
        }
        addReports(assembly, EnumSet.allOf(AcceleratorFamily.class));
        return assembly.build(begun.now());
    }

    /// In the order of the probes, for those that recognise the devices of others stand last.
    private void addReports(Detector.Assembly assembly, Set<AcceleratorFamily> wanted) {
        Map<String, ProbeReport> reports = new HashMap<>();
        groups.forEach((found, group) -> {
            if (found.stream().anyMatch(wanted::contains)) {
                reports.putAll(group.get());
            }
        });
        for (Probe probe : detector.request().probes()) {
            ProbeReport report = reports.get(probe.name());
            if (report != null) {
                assembly.add(probe.name(), report);
            }
        }
    }

    /// Something that is found out at most once. An interrupted attempt does not count.
    private static final class Once<T> {
        private final SingleFlight<T> flight;
        private final Supplier<T> work;
        private volatile @Nullable T value;

        Once(Detector detector, Supplier<T> work) {
            this.flight = new SingleFlight<>(detector.patience());
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
