// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The changes from one registry to another. Immutable.
///
/// Devices are recognised by UUID, then by PCI address, then by id, so that a renumbered device is the same device.
/// Volatile facts, such as a temperature, are left out unless asked for.
///
/// @param devices the changes of devices: in the order of the older registry, then added devices
/// @param items the changes of the system around the devices
/// @since 0.1
public record RegistryDifference(List<DeviceChange> devices, List<ItemChange> items) {
    /// No change.
    public static final RegistryDifference NONE = new RegistryDifference(List.of(), List.of());

    /// Copies the lists.
    public RegistryDifference {
        devices = List.copyOf(devices);
        items = List.copyOf(items);
    }

    /// Compares two registries without volatile facts.
    public static RegistryDifference between(AcceleratorRegistry before, AcceleratorRegistry after) {
        return between(before, after, fact -> !fact.isVolatile());
    }

    /// Compares two registries by the given facts.
    public static RegistryDifference between(
            AcceleratorRegistry before, AcceleratorRegistry after, Predicate<DeviceFact<?>> facts) {
        List<DeviceChange> devices = new ArrayList<>();
        List<AcceleratorProfile> unmatched = new ArrayList<>(after.profiles());
        List<Optional<AcceleratorProfile>> matches = match(before.profiles(), unmatched);
        for (int i = 0; i < matches.size(); i++) {
            AcceleratorProfile old = before.profiles().get(i);
            AcceleratorProfile now = matches.get(i).orElse(null);
            if (now == null) {
                devices.add(new DeviceChange(old, null, List.of()));
            } else {
                compareDevice(old, now, facts, devices);
            }
        }
        unmatched.forEach(now -> devices.add(new DeviceChange(null, now, List.of())));
        return new RegistryDifference(devices, compareItems(before, after));
    }

    private static List<ItemChange> compareItems(AcceleratorRegistry before, AcceleratorRegistry after) {
        List<ItemChange> items = new ArrayList<>();
        SystemIo oldIo = before.systemIo();
        SystemIo newIo = after.systemIo();
        compareLists("interconnect", oldIo.interconnects(), newIo.interconnects(), ItemDescription::of, items);
        compareLists("storage", oldIo.storage(), newIo.storage(), ItemDescription::of, items);
        compareLists("memory", oldIo.memoryDevices(), newIo.memoryDevices(), ItemDescription::of, items);
        compareLists("environment", toList(oldIo), toList(newIo), ItemDescription::of, items);
        compareLists(
                "node",
                before.topology().nodes(),
                after.topology().nodes(),
                node -> node.id().text(),
                items);
        compareLists("link", before.topology().links(), after.topology().links(), ItemDescription::of, items);
        compareLists("gap", before.gaps(), after.gaps(), Gap::display, items);
        return items;
    }

    /// Reports whether nothing changed.
    public boolean isEmpty() {
        return devices.isEmpty() && items.isEmpty();
    }

    /// All devices by UUID first, then what is left by PCI address, then by id: a device that is gone must not take
    /// the match of one that was renumbered.
    private static List<Optional<AcceleratorProfile>> match(
            List<AcceleratorProfile> before, List<AcceleratorProfile> unmatched) {
        List<Optional<AcceleratorProfile>> matches =
                new ArrayList<>(Collections.nCopies(before.size(), Optional.empty()));
        matchBy(profile -> profile.reading(DeviceFact.UUID).find(), before, unmatched, matches);
        matchBy(RegistryDifference::place, before, unmatched, matches);
        matchBy(profile -> Optional.of(profile.id()), before, unmatched, matches);
        return matches;
    }

    /// Slices of one device share its place, so that only whole devices are recognised by it.
    private static Optional<PciAddress> place(AcceleratorProfile profile) {
        return profile.partition().isPresent()
                ? Optional.empty()
                : profile.reading(DeviceFact.PCI_ADDRESS).find();
    }

    private static <K> void matchBy(
            Function<AcceleratorProfile, Optional<K>> key,
            List<AcceleratorProfile> before,
            List<AcceleratorProfile> unmatched,
            List<Optional<AcceleratorProfile>> matches) {
        for (int i = 0; i < before.size(); i++) {
            AcceleratorProfile old = before.get(i);
            Optional<K> wanted = key.apply(old);
            if (wanted.isPresent() && matches.get(i).isEmpty()) {
                Optional<AcceleratorProfile> found = unmatched.stream()
                        .filter(candidate -> candidate.accelerator().kind()
                                        == old.accelerator().kind()
                                && key.apply(candidate).equals(wanted))
                        .findFirst();
                matches.set(i, found);
                found.ifPresent(unmatched::remove);
            }
        }
    }

    private static void compareDevice(
            AcceleratorProfile before,
            AcceleratorProfile after,
            Predicate<DeviceFact<?>> facts,
            List<DeviceChange> changes) {
        List<DeviceFact<?>> changed = new ArrayList<>();
        for (DeviceFact<?> fact : DeviceFact.all()) {
            // Only values count: another source, or another reason for a missing value, is not a change of the machine.
            if (facts.test(fact)
                    && !before.reading(fact).find().equals(after.reading(fact).find())) {
                changed.add(fact);
            }
        }
        DeviceChange change = new DeviceChange(before, after, changed);
        if (change.hasNewType() || change.hasNewAvailability() || !changed.isEmpty()) {
            changes.add(change);
        }
    }

    private static List<RuntimeEnvironment> toList(SystemIo io) {
        return io.environment().find().stream().toList();
    }

    private static <T> void compareLists(
            String kind, List<T> before, List<T> after, Function<T, String> text, List<ItemChange> changes) {
        List<String> old = before.stream().map(text).toList();
        List<String> now = after.stream().map(text).toList();
        old.stream()
                .filter(item -> !now.contains(item))
                .forEach(item -> changes.add(new ItemChange(kind, item, false)));
        now.stream().filter(item -> !old.contains(item)).forEach(item -> changes.add(new ItemChange(kind, item, true)));
    }

    /// A device that was added, was removed or has changed.
    ///
    /// @param before the device as it was; null where it was added
    /// @param after the device as it is; null where it was removed
    /// @param facts the facts whose values differ, in document order
    /// @since 0.1
    public record DeviceChange(
            @Nullable AcceleratorProfile before, @Nullable AcceleratorProfile after, List<DeviceFact<?>> facts) {
        /// Checks that there is a device and copies the list.
        public DeviceChange {
            facts = List.copyOf(facts);
            if (before == null && after == null) {
                throw new IllegalArgumentException("a change of a device needs a device");
            }
        }

        /// Reports whether the device was added.
        public boolean isAdded() {
            return before == null;
        }

        /// Reports whether the device was removed.
        public boolean isRemoved() {
            return after == null;
        }

        /// The device as it is; as it was where it was removed.
        public AcceleratorProfile device() {
            return after != null ? after : Objects.requireNonNull(before);
        }

        /// The device as it was; as it is where it was added.
        public AcceleratorProfile previous() {
            return before != null ? before : Objects.requireNonNull(after);
        }

        /// Reports whether the type reads differently, such as another number or chip count.
        public boolean hasNewType() {
            return !device().accelerator().equals(previous().accelerator());
        }

        /// Reports whether the device became available or stopped being available.
        public boolean hasNewAvailability() {
            return device().available() != previous().available();
        }
    }

    /// Something around the devices that was added or removed: an interconnect, a drive, a link, a gap.
    ///
    /// @param kind the kind of item, such as `link`
    /// @param item its description
    /// @param isAdded true where it was added, false where it was removed
    /// @since 0.1
    public record ItemChange(String kind, String item, boolean isAdded) {}
}
