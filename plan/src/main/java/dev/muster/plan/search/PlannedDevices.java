// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.DeviceUsability.Obstacle;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.PlanNote.Topic;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.MemoryBasis;
import dev.muster.plan.cost.PlannedDevice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The devices of a registry for plans. Detected facts come first, the catalogue adds missing ones, and the rest is
/// derived. Immutable.
public final class PlannedDevices {
    private static final double GIGA = 1e9;
    /// The multiprocessors of a GPU in MIG mode come in sevenths, its memory in eighths.
    private static final double COMPUTE_SLICES = 7;

    private static final double MEMORY_SLICES = 8;
    private static final Pattern SLICE = Pattern.compile("([1-7])g\\..*");

    private final AcceleratorRegistry registry;
    private final DeviceCatalogue catalogue;
    private final Optional<CalibrationDocument> measured;
    private final MemoryBasis memory;
    private final Optional<Bandwidth> hostBandwidth;
    private final Optional<MeshCalibration> collectives;
    private final List<DevicePool> pools = new ArrayList<>();
    private final List<PlanNote> notes = new ArrayList<>();

    private PlannedDevices(
            AcceleratorRegistry registry,
            DeviceCatalogue catalogue,
            Optional<CalibrationDocument> measured,
            MemoryBasis memory,
            Optional<Bandwidth> hostBandwidth,
            Optional<MeshCalibration> collectives) {
        this.registry = registry;
        this.catalogue = catalogue;
        this.measured = measured;
        this.memory = memory;
        this.hostBandwidth = hostBandwidth;
        this.collectives = collectives;
    }

    /// Returns the chosen devices, by kind.
    ///
    /// @param measured rates that were measured on them
    /// @param memory memory that counts
    /// @param hostBandwidth bandwidth of the host's memory, if given
    /// @param collectives times of collectives between the devices, if given; else as measured on them
    public static PlannedDevices of(
            AcceleratorRegistry registry,
            DeviceChoice choice,
            DeviceCatalogue catalogue,
            Optional<CalibrationDocument> measured,
            MemoryBasis memory,
            Optional<Bandwidth> hostBandwidth,
            Optional<MeshCalibration> collectives) {
        PlannedDevices devices = new PlannedDevices(registry, catalogue, measured, memory, hostBandwidth, collectives);
        choice.excluded().stream()
                .filter(one -> one.reason() != Obstacle.NOT_NAMED)
                .forEach(one -> devices.notes.add(PlanNote.of(Topic.EXCLUDED_DEVICE, one)));
        devices.addPools(choice.accelerators());
        if (devices.pools.isEmpty()) {
            devices.addPools(choice.devices().stream()
                    .filter(device -> device.available() && isCpu(device))
                    .toList());
        }
        return devices;
    }

    /// Returns the devices of each kind, the pool with the most memory first; the processor only as the last resort
    /// device.
    public List<DevicePool> pools() {
        return List.copyOf(pools);
    }

    /// Returns omissions and assumptions.
    public List<PlanNote> notes() {
        return List.copyOf(notes);
    }

    /// Returns every device, in the order of the pools.
    public List<PlannedDevice> devices() {
        return pools.stream().flatMap(pool -> pool.members().stream()).toList();
    }

    /// Returns the reason for the lack of devices.
    public Shortfall whyNone() {
        List<PlanNote> leftOut = notes.stream()
                .filter(note -> note.kind() == PlanNote.NoteKind.LEFT_OUT)
                .toList();
        return leftOut.isEmpty()
                ? Shortfall.of(Cause.NO_DEVICE)
                : Shortfall.of(Cause.NO_DEVICE_LEFT, leftOut.getFirst(), leftOut.size() - 1);
    }

    private void addPools(List<AcceleratorProfile> profiles) {
        Map<String, List<Figured>> byKind = new LinkedHashMap<>();
        for (AcceleratorProfile profile : profiles) {
            Figured figured = figures(profile);
            if (figured.figures.isComplete()) {
                byKind.computeIfAbsent(figured.key(), _ -> new ArrayList<>()).add(figured);
            } else {
                notes.add(PlanNote.of(
                        Topic.INCOMPLETE_DEVICE,
                        profile.id(),
                        profile.deviceName().find().orElse(profile.accelerator().display()),
                        missing(figured.figures)));
            }
        }
        byKind.values().forEach(kind -> pools.add(pool(kind)));
        pools.stream()
                .filter(pool -> pool.basis() == DevicePool.FigureBasis.DERIVED
                        && pool.device().family() != DeviceFamily.CPU)
                .forEach(pool -> notes.add(PlanNote.of(Topic.DERIVED_FIGURES, pool.name())));
        pools.sort((a, b) -> Double.compare(
                b.count() * b.device().memory(), a.count() * a.device().memory()));
    }

    private static List<String> missing(DeviceFigures figures) {
        List<String> missing = new ArrayList<>();
        if (!figures.memorySize().isKnown()) {
            missing.add("memory");
        }
        if (!figures.memoryBandwidth().isKnown()) {
            missing.add("memory bandwidth");
        }
        if (!figures.halfRate().isKnown()) {
            missing.add("rate of operations");
        }
        return missing;
    }

    private DevicePool pool(List<Figured> kind) {
        // One device that was not measured leaves all of its kind to their data sheet.
        List<Figured> sorted = byDomain(
                kind.stream().allMatch(one -> one.basis == DevicePool.FigureBasis.MEASURED)
                        ? kind
                        : kind.stream().map(Figured::withoutMeasurements).toList());
        List<PlannedDevice> members = sorted.stream().map(this::planned).toList();
        return DevicePool.of(withCollectives(weakest(sorted)), sorted.getFirst().basis, members);
    }

    private DeviceFigures withCollectives(DeviceFigures figures) {
        Optional<MeshCalibration> known = collectives.or(
                () -> measured.flatMap(document -> MeasuredCollectives.find(figures.family(), document)));
        known.ifPresent(mesh -> notes.add(PlanNote.of(Topic.MEASURED_COLLECTIVES, mesh)));
        return known.map(mesh -> MeasuredCollectives.apply(figures, mesh)).orElse(figures);
    }

    /// Returns devices with those of one fabric together, so that plans over some of them take neighbours.
    private List<Figured> byDomain(List<Figured> kind) {
        List<Set<DeviceId>> domains = registry.topology().domains();
        List<Figured> rest = new ArrayList<>(kind);
        List<Figured> sorted = new ArrayList<>();
        for (Set<DeviceId> domain : domains) {
            rest.removeIf(one -> domain.contains(one.profile.id()) && sorted.add(one));
        }
        sorted.addAll(rest);
        return domains.size() < 2 ? kind : sorted;
    }

    /// Returns the weakest figures of a kind: the least memory, the least free memory, the slowest rates.
    private static DeviceFigures weakest(List<Figured> kind) {
        DeviceFigures weakest = kind.getFirst().figures;
        for (Figured one : kind) {
            DeviceFigures other = one.figures;
            DeviceFigures.FiguresBuilder least = weakest.toBuilder();
            if (other.memory() < weakest.memory()) {
                least.memory(other.memorySize());
            }
            if (other.free() < weakest.free()) {
                least.memoryFree(other.memoryFree());
            }
            if (other.bandwidth() < weakest.bandwidth()) {
                least.bandwidth(other.memoryBandwidth());
            }
            if (other.half() < weakest.half()) {
                least.half(other.halfRate());
            }
            weakest = least.build();
        }
        return weakest;
    }

    private PlannedDevice planned(Figured one) {
        AcceleratorProfile profile = one.profile;
        double hostLink = profile.reading(DeviceFact.PCIE_BANDWIDTH)
                .find()
                .map(rate -> rate.gigabytesPerSecond() * GIGA)
                .filter(rate -> rate > 0)
                .orElse(PlannedDevice.hostLink(one.figures));
        Reading<String> uuid = profile.partition()
                .map(slice -> Reading.known(slice.id(), Provenance.GIVEN))
                .orElse(profile.reading(DeviceFact.UUID));
        List<AcceleratorProfile> alike = registry.profiles().stream()
                .filter(other ->
                        other.accelerator().kind() == profile.accelerator().kind()
                                && other.partition().isEmpty())
                .toList();
        long number = profile.accelerator().deviceId();
        int machines = HostLinks.machines(registry);
        // Where a registry holds several machines, it numbers devices through.
        int perMachine = Math.max(1, alike.size() / machines);
        return new PlannedDevice(
                profile.id(),
                uuid,
                (int) (machines > 1 ? number % perMachine : number),
                perMachine,
                one.name,
                one.figures,
                hostLink);
    }

    /// A device with its figures.
    ///
    /// @param stated the figures without what was measured
    /// @param otherwise basis of those
    private record Figured(
            AcceleratorProfile profile,
            String name,
            DeviceFigures figures,
            DevicePool.FigureBasis basis,
            DeviceFigures stated,
            DevicePool.FigureBasis otherwise) {
        String key() {
            return name + "/" + figures.id();
        }

        Figured withoutMeasurements() {
            return new Figured(profile, name, stated, otherwise, stated, otherwise);
        }
    }

    private Figured figures(AcceleratorProfile profile) {
        Optional<Partition> slice = profile.partition();
        if (slice.isPresent()) {
            return ofSlice(profile, slice.get());
        }
        Optional<DeviceEntry> entry = catalogue.match(profile);
        DeviceFigures figures =
                entry.map(row -> detectedFirst(DeviceFigures.of(row), profile)).orElseGet(() -> withoutEntry(profile));
        String name = entry.map(DeviceEntry::name)
                .orElseGet(() ->
                        profile.deviceName().find().orElse(profile.accelerator().display()));
        return finished(
                profile,
                name,
                figures,
                entry.isPresent() ? DevicePool.FigureBasis.DATA_SHEET : DevicePool.FigureBasis.DERIVED);
    }

    /// Returns the figures of a device in no catalogue: as detected, with what is missing from its nearest relative.
    private DeviceFigures withoutEntry(AcceleratorProfile profile) {
        DeviceFigures derived = DerivedFigures.of(profile);
        Optional<DeviceEntry> relative = derived.isComplete() ? Optional.empty() : catalogue.findRelative(profile);
        if (relative.isEmpty()) {
            return derived;
        }
        notes.add(
                PlanNote.of(Topic.RELATIVE_FIGURES, profile.id(), relative.get().name()));
        DeviceFigures like = DeviceFigures.of(relative.get());
        DeviceFigures.FiguresBuilder figures = derived.toBuilder();
        if (!derived.memorySize().isKnown()) {
            figures.memory(like.memorySize());
        }
        if (!derived.memoryBandwidth().isKnown()) {
            figures.bandwidth(like.memoryBandwidth());
        }
        return figures.half(like.halfRate()).build();
    }

    private Figured finished(
            AcceleratorProfile profile, String name, DeviceFigures known, DevicePool.FigureBasis basis) {
        DeviceFigures figures = isCpu(profile) ? withHostRate(known, profile) : known;
        Optional<DeviceFigures> better =
                measured.flatMap(document -> MeasuredFigures.apply(figures, profile, document));
        DeviceFigures stated = withFreeMemory(figures, profile);
        return new Figured(
                profile,
                name,
                better.map(one -> withFreeMemory(one, profile)).orElse(stated),
                better.isPresent() ? DevicePool.FigureBasis.MEASURED : basis,
                stated,
                basis);
    }

    /// Returns a slice, with a share of its parent's units and bandwidth, and without links to others.
    private Figured ofSlice(AcceleratorProfile profile, Partition slice) {
        Optional<AcceleratorProfile> parent = registry.find(slice.parent());
        Optional<Figured> whole = parent.map(this::figures).filter(one -> one.figures.isComplete());
        Matcher shape = SLICE.matcher(slice.shape());
        if (whole.isEmpty() || !profile.memory().isKnown()) {
            return finished(profile, profile.id().text(), DerivedFigures.of(profile), DevicePool.FigureBasis.DERIVED);
        }
        DeviceFigures figures = whole.get().figures;
        double eighths =
                Math.round(MEMORY_SLICES * profile.memory().find().orElseThrow().toDouble() / figures.memory());
        double memoryShare = Math.max(1, eighths) / MEMORY_SLICES;
        double computeShare = shape.matches() ? Integer.parseInt(shape.group(1)) / COMPUTE_SLICES : memoryShare;
        Provenance source =
                Provenance.of("share of " + slice.parent(), Provenance.Method.DERIVED, Provenance.Confidence.STATED);
        DeviceFigures share = figures.times(memoryShare, computeShare, source).toBuilder()
                .memory(profile.memory())
                .memoryFree(Reading.unknown(UnknownReason.NOT_STATED))
                .link(Reading.unknown(UnknownReason.NOT_SUPPORTED), DeviceFigures.Linkage.NONE, 1)
                .build();
        String name = whole.get().name + (slice.shape().isBlank() ? " slice" : " slice " + slice.shape());
        DeviceFigures free = withFreeMemory(share, profile);
        return new Figured(profile, name, free, whole.get().basis, free, whole.get().basis);
    }

    private static DeviceFigures detectedFirst(DeviceFigures sheet, AcceleratorProfile profile) {
        DeviceFigures.FiguresBuilder figures = sheet.toBuilder();
        // A data sheet's memory is what programs get of the size on the box; a driver may show more or less of it.
        Reading<Bytes> memory = profile.usableMemory();
        memory.find().filter(seen -> seen.toDouble() < sheet.memory()).ifPresent(_ -> figures.memory(memory));
        if (profile.memoryBandwidth().isKnown()) {
            figures.bandwidth(profile.memoryBandwidth());
        }
        if (profile.reading(DeviceFact.POWER_LIMIT).isKnown()) {
            figures.power(profile.reading(DeviceFact.POWER_LIMIT));
        }
        return figures.build();
    }

    private DeviceFigures withFreeMemory(DeviceFigures figures, AcceleratorProfile profile) {
        Optional<Bytes> limit = HostMemoryLimit.find(figures, profile, registry, catalogue);
        Reading<Bytes> free = memory == MemoryBasis.TOTAL
                ? Reading.unknown(UnknownReason.NOT_STATED, "all memory was asked for")
                : registry.usableMemoryFree(profile);
        if (limit.isPresent()
                && free.find()
                        .filter(bytes -> bytes.compareTo(limit.get()) <= 0)
                        .isEmpty()) {
            free = Reading.known(
                    limit.get(),
                    Provenance.of(
                            "memory shared with the processor",
                            Provenance.Method.DERIVED,
                            Provenance.Confidence.ASSUMED));
        }
        return figures.toBuilder().memoryFree(free).build();
    }

    private DeviceFigures withHostRate(DeviceFigures figures, AcceleratorProfile profile) {
        HostRate rate = HostRate.of(registry, measured, hostBandwidth);
        if (rate.isAssumed()) {
            notes.add(PlanNote.of(Topic.HOST_MEMORY_RATE, rate.bytesPerSecond(), profile.id()));
        }
        return figures.toBuilder().bandwidth(rate.reading()).build();
    }

    private static boolean isCpu(AcceleratorProfile profile) {
        return profile.accelerator().family() == AcceleratorFamily.CPU;
    }
}
