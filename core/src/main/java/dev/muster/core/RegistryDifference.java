// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// What changed from one registry to another. Immutable.
///
/// Devices are recognised by UUID, then by PCI address, then by id, so that a renumbered device is the same device.
/// Facts that pass by themselves, such as a temperature, are left out unless asked for.
///
/// @param changes the changes: devices first, then the system around them
/// @since 0.1
public record RegistryDifference(List<Change> changes) {
    /// Copies the list.
    public RegistryDifference {
        changes = List.copyOf(changes);
    }

    /// What changed, passing facts left out.
    public static RegistryDifference between(AcceleratorRegistry before, AcceleratorRegistry after) {
        return between(before, after, fact -> !fact.isVolatile());
    }

    /// What changed in the facts of interest.
    public static RegistryDifference between(
            AcceleratorRegistry before, AcceleratorRegistry after, Predicate<DeviceFact<?>> facts) {
        List<Change> changes = new ArrayList<>();
        List<AcceleratorProfile> unmatched = new ArrayList<>(after.profiles());
        List<Optional<AcceleratorProfile>> matches = match(before.profiles(), unmatched);
        for (int i = 0; i < matches.size(); i++) {
            AcceleratorProfile old = before.profiles().get(i);
            AcceleratorProfile now = matches.get(i).orElse(null);
            if (now == null) {
                changes.add(new DeviceRemoved(old));
            } else {
                compareDevice(old, now, facts, changes);
            }
        }
        unmatched.forEach(now -> changes.add(new DeviceAdded(now)));
        SystemIo oldIo = before.systemIo();
        SystemIo newIo = after.systemIo();
        compareLists("interconnect", oldIo.interconnects(), newIo.interconnects(), ItemDescription::of, changes);
        compareLists("storage", oldIo.storage(), newIo.storage(), ItemDescription::of, changes);
        compareLists("memory", oldIo.memoryDevices(), newIo.memoryDevices(), ItemDescription::of, changes);
        compareLists("environment", toList(oldIo), toList(newIo), ItemDescription::of, changes);
        compareLists(
                "node",
                before.topology().nodes(),
                after.topology().nodes(),
                node -> node.id().text(),
                changes);
        compareLists("link", before.topology().links(), after.topology().links(), ItemDescription::of, changes);
        compareLists("gap", before.gaps(), after.gaps(), Gap::display, changes);
        return new RegistryDifference(changes);
    }

    /// Whether nothing changed.
    public boolean isEmpty() {
        return changes.isEmpty();
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
            AcceleratorProfile before, AcceleratorProfile after, Predicate<DeviceFact<?>> facts, List<Change> changes) {
        if (!before.accelerator().equals(after.accelerator())) {
            changes.add(new TypeChanged(after.id(), before.accelerator(), after.accelerator()));
        }
        if (before.available() != after.available()) {
            changes.add(new AvailabilityChanged(after.id(), after.available()));
        }
        for (DeviceFact<?> fact : DeviceFact.all()) {
            Reading<?> old = before.reading(fact);
            Reading<?> now = after.reading(fact);
            // Only the values count: where a fact was read, and why one is missing, is no change of the machine.
            if (facts.test(fact) && !old.find().equals(now.find())) {
                changes.add(new FactChanged(after.id(), fact, old, now));
            }
        }
    }

    private static List<RuntimeEnvironment> toList(SystemIo io) {
        return io.environment().find().stream().toList();
    }

    private static <T> void compareLists(
            String what, List<T> before, List<T> after, Function<T, String> text, List<Change> changes) {
        List<String> old = before.stream().map(text).toList();
        List<String> now = after.stream().map(text).toList();
        old.stream().filter(item -> !now.contains(item)).forEach(item -> changes.add(new ItemRemoved(what, item)));
        now.stream().filter(item -> !old.contains(item)).forEach(item -> changes.add(new ItemAdded(what, item)));
    }

    /// One change.
    public sealed interface Change {}

    /// A device appeared.
    ///
    /// @param profile the new device
    public record DeviceAdded(AcceleratorProfile profile) implements Change {}

    /// A device is gone.
    ///
    /// @param profile the device that was there
    public record DeviceRemoved(AcceleratorProfile profile) implements Change {}

    /// A device is the same but its type reads differently, such as another number or chip count.
    ///
    /// @param device the device
    /// @param before the type before
    /// @param after the type after
    public record TypeChanged(DeviceId device, AcceleratorType before, AcceleratorType after) implements Change {}

    /// A device became available or stopped being so.
    ///
    /// @param device the device
    /// @param nowAvailable whether it can be used now
    public record AvailabilityChanged(DeviceId device, boolean nowAvailable) implements Change {}

    /// A fact of a device changed.
    ///
    /// @param device the device
    /// @param fact the fact
    /// @param before what was known before
    /// @param after what is known after
    public record FactChanged(DeviceId device, DeviceFact<?> fact, Reading<?> before, Reading<?> after)
            implements Change {}

    /// Something around the devices appeared: an interconnect, a drive, a link, a gap.
    ///
    /// @param what what it is
    /// @param item its description
    public record ItemAdded(String what, String item) implements Change {}

    /// Something around the devices is gone.
    ///
    /// @param what what it is
    /// @param item its description
    public record ItemRemoved(String what, String item) implements Change {}
}
