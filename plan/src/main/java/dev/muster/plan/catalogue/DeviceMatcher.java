// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.OperationRate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/// Finds the catalogue row of a profile. If two rows remain, neither is used.
final class DeviceMatcher {
    /// The least share of the nominal memory that drivers show, less error correction; a smaller one is a part of a
    /// device.
    private static final double LEAST_SHARE = 0.88;

    private static final double MOST_SHARE = 1.1;
    private static final int SAME_PCI_ID = 1000;

    private DeviceMatcher() {}

    static Optional<DeviceEntry> match(AcceleratorProfile profile, Collection<DeviceEntry> entries) {
        if (profile.partition().isPresent()) {
            return Optional.empty();
        }
        return switch (profile.accelerator()) {
            case AcceleratorType.Tpu tpu ->
                only(entries, entry -> DeviceKinds.findTpu(entry).equals(Optional.of(tpu.version())))
                        .filter(entry -> tpu.chipCount() > 0)
                        .map(entry -> entry.times((double) tpu.chipCount()));
            case AcceleratorType.Gaudi gaudi ->
                only(entries, entry -> DeviceKinds.findGaudi(entry).equals(Optional.of(gaudi.generation())));
            case AcceleratorType.Neuron neuron ->
                only(entries, entry -> DeviceKinds.findChip(entry).equals(Optional.of(neuron.chip())));
            case AcceleratorType.Other _ -> Optional.empty();
            case AcceleratorType.Plain plain -> matchPlain(profile, plain.kind(), entries);
        };
    }

    private static Optional<DeviceEntry> matchPlain(
            AcceleratorProfile profile, AcceleratorKind kind, Collection<DeviceEntry> entries) {
        List<DeviceEntry> possible = entries.stream()
                .filter(entry -> isOfKind(entry, kind) && hasMemoryAndCores(entry, profile))
                .toList();
        Predicate<DeviceEntry> named = hasNameOf(profile);
        Predicate<DeviceEntry> exactly = entry -> profile.deviceName().find().equals(Optional.of(entry.name()));
        Optional<String> pciId = profile.reading(DeviceFact.PCI_ID).find().map(id -> id.toLowerCase(Locale.ROOT));
        List<DeviceEntry> onBus = pciId.map(id -> possible.stream()
                        .filter(entry -> entry.signature().pciIds().contains(id))
                        .toList())
                .orElse(List.of());
        List<DeviceEntry> left = onBus.isEmpty() ? possible : onBus;
        Optional<DeviceEntry> found = onBus.size() == 1
                ? Optional.of(onBus.getFirst())
                : only(left, named).or(() -> only(left, exactly));
        return found.map(DeviceEntry::perDeviceShown);
    }

    /// The nearest device of the catalogue for one that has no row: of those with the same PCI id or name the slowest,
    /// else the one whose name is the longest part of the device's. Its figures are a guess.
    static Optional<DeviceEntry> findRelative(AcceleratorProfile profile, Collection<DeviceEntry> entries) {
        if (profile.partition().isPresent() || !(profile.accelerator() instanceof AcceleratorType.Plain plain)) {
            return Optional.empty();
        }
        String pciId = profile.reading(DeviceFact.PCI_ID).find().orElse("").toLowerCase(Locale.ROOT);
        List<String> words = profile.deviceName().find().map(DeviceNames::words).orElse(List.of());
        Optional<DeviceEntry> nearest = Optional.empty();
        int best = 0;
        for (DeviceEntry entry : entries) {
            if (isOfKind(entry, plain.kind())) {
                int score = entry.signature().pciIds().contains(pciId) ? SAME_PCI_ID : sharedWords(entry, words);
                boolean isSlower =
                        nearest.filter(other -> !isSlower(entry, other)).isEmpty();
                if (score > best || (score == best && score > 0 && isSlower)) {
                    nearest = Optional.of(entry);
                    best = score;
                }
            }
        }
        return nearest.map(DeviceEntry::perDeviceShown);
    }

    /// Not a comparator of the JDK: it takes 3 ms when it is first used (docs/decisions/0004).
    private static boolean isSlower(DeviceEntry one, DeviceEntry other) {
        double difference = one.memory().bandwidth().gigabytesPerSecond()
                - other.memory().bandwidth().gigabytesPerSecond();
        return difference < 0 || (difference == 0 && half(one) < half(other));
    }

    private static double half(DeviceEntry entry) {
        return entry.halfPeak().find().map(OperationRate::teraPerSecond).orElse(0.0);
    }

    /// The number of words of an entry's name, if the device's name has them all and one of them is a model's number.
    private static int sharedWords(DeviceEntry entry, List<String> words) {
        List<String> own = DeviceNames.words(entry.name());
        boolean hasNumber = own.stream().anyMatch(word -> word.chars().anyMatch(Character::isDigit));
        return hasNumber && words.containsAll(own) ? own.size() : 0;
    }

    private static Predicate<DeviceEntry> hasNameOf(AcceleratorProfile profile) {
        String key = profile.deviceName().find().map(DeviceNames::key).orElse("");
        return entry -> !key.isEmpty()
                && (DeviceNames.key(entry.name()).equals(key)
                        || entry.signature().aliases().stream()
                                .anyMatch(alias -> DeviceNames.key(alias).equals(key)));
    }

    /// Reports whether a row is of a kind; a GPU that only Vulkan or Windows knows may be any vendor's.
    private static boolean isOfKind(DeviceEntry entry, AcceleratorKind kind) {
        boolean anyGpu = kind == AcceleratorKind.VULKAN_GPU || kind == AcceleratorKind.WINDOWS_GPU;
        return entry.findKind()
                .filter(own -> own == kind || (anyGpu && own.family() == AcceleratorFamily.GPU))
                .isPresent();
    }

    private static boolean hasMemoryAndCores(DeviceEntry entry, AcceleratorProfile profile) {
        Optional<Long> cores = entry.signature().computeUnits().find();
        Optional<Long> seen = profile.reading(DeviceFact.COMPUTE_UNITS).find();
        boolean coresDiffer = cores.isPresent() && seen.isPresent() && !cores.equals(seen);
        return !coresDiffer
                && profile.memory()
                        .find()
                        .filter(memory -> !isPossible(entry, memory))
                        .isEmpty();
    }

    private static boolean isPossible(DeviceEntry entry, Bytes memory) {
        Bytes box = DeviceEntry.MemoryCount.BINARY.total(entry.memory().gigabytes());
        double share = memory.toDouble() * entry.signature().devicesShown() / box.toDouble();
        return share <= MOST_SHARE
                && (share >= LEAST_SHARE || entry.deviceClass().sharesMemory());
    }

    private static Optional<DeviceEntry> only(Collection<DeviceEntry> entries, Predicate<DeviceEntry> wanted) {
        List<DeviceEntry> found = entries.stream().filter(wanted).limit(2).toList();
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }
}
