// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The picture of one host at one time: its devices, how they are joined, how data gets in and out, and what could
/// not be learned. Immutable and safe to share between threads.
///
/// @param referenceSchema the schema number in tagged documents of ai-hwaccel; kept as read
/// @param profiles the devices, in the order of detection
/// @param gaps the facts that could not be learned
/// @param systemIo interconnects, drives, environment
/// @param topology the links between the parts
/// @param observedAt the time of the observation
/// @since 0.1
public record AcceleratorRegistry(
        long referenceSchema,
        List<AcceleratorProfile> profiles,
        List<Gap> gaps,
        SystemIo systemIo,
        TopologyGraph topology,
        Reading<Instant> observedAt) {
    /// The schema number of ai-hwaccel 1.2.0.
    public static final long REFERENCE_SCHEMA = 3;

    /// Copies the lists.
    public AcceleratorRegistry {
        profiles = List.copyOf(profiles);
        gaps = List.copyOf(gaps);
    }

    /// A registry of those devices, without gaps, interconnects or topology.
    public static AcceleratorRegistry of(List<AcceleratorProfile> profiles) {
        return new AcceleratorRegistry(
                REFERENCE_SCHEMA, profiles, List.of(), SystemIo.EMPTY, TopologyGraph.EMPTY, Reading.notProbed());
    }

    /// The devices that can be used now.
    public List<AcceleratorProfile> available() {
        return streamAvailable().toList();
    }

    /// The available device of the highest rank; of several, the last.
    public Optional<AcceleratorProfile> findBest() {
        return streamAvailable()
                .reduce((best, next) ->
                        next.accelerator().rank() >= best.accelerator().rank() ? next : best);
    }

    /// The available devices of a family.
    public List<AcceleratorProfile> byFamily(AcceleratorFamily family) {
        return streamAvailable()
                .filter(profile -> profile.accelerator().family() == family)
                .toList();
    }

    /// The devices that satisfy a requirement.
    public List<AcceleratorProfile> satisfying(AcceleratorRequirement requirement) {
        return profiles.stream().filter(requirement::isSatisfiedBy).toList();
    }

    /// The device with that id; the first, should several have it.
    public Optional<AcceleratorProfile> find(DeviceId id) {
        return profiles.stream().filter(profile -> profile.id().equals(id)).findFirst();
    }

    /// The usable devices that are not partitions: usable as a whole, or by their partitions.
    public List<AcceleratorProfile> wholeDevices() {
        Set<DeviceId> divided = new HashSet<>();
        for (AcceleratorProfile profile : profiles) {
            if (profile.available()) {
                profile.partition().ifPresent(partition -> divided.add(partition.parent()));
            }
        }
        return profiles.stream()
                .filter(profile -> profile.partition().isEmpty()
                        && (profile.available() || (profile.isDivided() && divided.contains(profile.id()))))
                .toList();
    }

    /// Memory that programs can have on a device. The control group of the process limits the memory of the host, and
    /// so that of devices which share it.
    ///
    /// @since 0.2
    public Reading<Bytes> usableMemory(AcceleratorProfile device) {
        return withinLimit(device, device.usableMemory());
    }

    /// The part of [#usableMemory(AcceleratorProfile)] that can still be taken.
    ///
    /// @since 0.2
    public Reading<Bytes> usableMemoryFree(AcceleratorProfile device) {
        return withinLimit(device, device.usableMemoryFree());
    }

    private Reading<Bytes> withinLimit(AcceleratorProfile device, Reading<Bytes> memory) {
        if (!isCpu(device) && !device.sharesHostMemory()) {
            return memory;
        }
        Reading<Bytes> limit = systemIo.environment()
                .find()
                .map(RuntimeEnvironment::memoryLimit)
                .orElse(Reading.notProbed());
        return limit.matches(most -> memory.matches(bytes -> most.compareTo(bytes) < 0)) ? limit : memory;
    }

    /// Known memory of all available devices together, the CPU's included; partitions count with their parent.
    ///
    /// @throws ArithmeticException past 2^64-1 bytes
    public Bytes totalMemory() {
        return sumMemory(wholeDevices().stream());
    }

    /// Known memory of all available devices but the CPU; partitions count with their parent.
    ///
    /// @throws ArithmeticException past 2^64-1 bytes
    public Bytes totalAcceleratorMemory() {
        return sumMemory(wholeDevices().stream().filter(profile -> !isCpu(profile)));
    }

    /// Reports whether any device but the CPU is available.
    public boolean hasAccelerator() {
        return streamAvailable().anyMatch(profile -> !isCpu(profile));
    }

    /// Returns a hypothetical registry with the given devices added at the end. Gaps are dropped: the result is not an
    /// observation.
    public AcceleratorRegistry whatIfAdd(List<AcceleratorProfile> added) {
        List<AcceleratorProfile> all = new ArrayList<>(profiles);
        all.addAll(added);
        return hypothetical(all);
    }

    /// Returns a hypothetical registry without the matching devices and their links. A host always has a processor: if
    /// none is
    /// left, a CPU with the memory of the one that was there is added last (of unknown memory, if there was none).
    public AcceleratorRegistry whatIfRemove(Predicate<AcceleratorProfile> gone) {
        List<AcceleratorProfile> left = new ArrayList<>(profiles);
        left.removeIf(gone);
        Set<DeviceId> removed = ids(profiles.stream().filter(gone).toList());
        left.removeIf(profile -> profile.partition()
                .filter(partition -> removed.contains(partition.parent()))
                .isPresent());
        if (left.stream().noneMatch(AcceleratorRegistry::isCpu)) {
            left.add(plainCpu());
        }
        return hypothetical(left);
    }

    /// Returns a hypothetical registry with exactly the given devices.
    public AcceleratorRegistry whatIfReplace(List<AcceleratorProfile> replacement) {
        return hypothetical(replacement);
    }

    /// The same picture with some of its devices alone; what is joined to none of them goes too.
    public AcceleratorRegistry withDevices(List<AcceleratorProfile> devices) {
        Set<DeviceId> ids = ids(devices);
        TopologyGraph joined = topology.withoutDevices(id -> !ids.contains(id));
        return new AcceleratorRegistry(referenceSchema, devices, gaps, systemIo, joined, observedAt);
    }

    private static Set<DeviceId> ids(List<AcceleratorProfile> devices) {
        Set<DeviceId> ids = new HashSet<>();
        devices.forEach(device -> ids.add(device.id()));
        return ids;
    }

    private AcceleratorRegistry hypothetical(List<AcceleratorProfile> devices) {
        TopologyGraph joined = withDevices(devices).topology();
        return new AcceleratorRegistry(referenceSchema, devices, List.of(), systemIo, joined, Reading.notProbed());
    }

    private AcceleratorProfile plainCpu() {
        Reading<Bytes> memory = profiles.stream()
                .filter(AcceleratorRegistry::isCpu)
                .map(AcceleratorProfile::memory)
                .findFirst()
                .orElse(Reading.notProbed());
        return AcceleratorProfile.builder(AcceleratorType.cpu())
                .with(DeviceFact.MEMORY, memory)
                .build();
    }

    private Stream<AcceleratorProfile> streamAvailable() {
        return profiles.stream().filter(AcceleratorProfile::available);
    }

    private static Bytes sumMemory(Stream<AcceleratorProfile> whole) {
        return whole.flatMap(profile -> profile.memory().find().stream()).reduce(Bytes.ZERO, Bytes::plus);
    }

    private static boolean isCpu(AcceleratorProfile profile) {
        return profile.accelerator().kind() == AcceleratorKind.CPU;
    }
}
