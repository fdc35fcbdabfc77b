// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Partition;
import dev.muster.core.PciAddress;
import dev.muster.fleet.FleetHost.Contradiction;
import dev.muster.fleet.FleetHost.Statement;
import dev.muster.fleet.FleetMerge.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/// Makes one list of devices of several sources' lists. Confined to one thread.
final class DeviceMerge {
    private final List<Contradiction> conflicts;
    private final List<Merged> merged = new ArrayList<>();
    /// By view, what became of its devices.
    private final IdentityHashMap<View, Map<DeviceId, Merged>> places = new IdentityHashMap<>();

    private final AcceleratorRegistry base;

    /// A device as far as it is put together.
    private static final class Merged {
        private final String source;
        private AcceleratorProfile profile;

        Merged(String source, AcceleratorProfile profile) {
            this.source = source;
            this.profile = profile;
        }
    }

    /// @param exact the views, the most exact first
    static DeviceMerge of(List<View> exact, List<Contradiction> conflicts) {
        DeviceMerge merge = new DeviceMerge(exact.getFirst().host().registry(), conflicts);
        SourceKind whole = SourceKind.SCHEDULER;
        for (View view : exact) {
            if (!view.host().registry().profiles().isEmpty()) {
                merge.add(view, whole.compareTo(view.kind()) < 0);
                whole = view.kind().listsAllDevices() && view.kind().compareTo(whole) < 0 ? view.kind() : whole;
            }
        }
        merge.compareCounts(exact);
        return merge;
    }

    private DeviceMerge(AcceleratorRegistry base, List<Contradiction> conflicts) {
        this.base = base;
        this.conflicts = conflicts;
    }

    /// The devices, with what the most exact source says around them.
    AcceleratorRegistry registry() {
        List<AcceleratorProfile> profiles = new ArrayList<>();
        merged.forEach(device -> profiles.add(device.profile));
        return new AcceleratorRegistry(
                base.referenceSchema(), profiles, base.gaps(), base.systemIo(), base.topology(), base.observedAt());
    }

    /// The merged id of a device that a source numbers differently.
    Optional<DeviceId> find(View view, DeviceId id) {
        return Optional.ofNullable(places.getOrDefault(view, Map.of()).get(id)).map(device -> device.profile.id());
    }

    /// @param whole true if the list is known to have all devices, so that none is added
    private void add(View view, boolean whole) {
        List<AcceleratorProfile> left = new ArrayList<>(view.host().registry().profiles());
        List<Merged> open = new ArrayList<>(merged);
        Map<DeviceId, Merged> place = new HashMap<>();
        places.put(view, place);
        match(view, left, open, place, DeviceMerge::hasSameUuid);
        match(view, left, open, place, DeviceMerge::hasSamePlace);
        match(
                view,
                left,
                open,
                place,
                (one, other) -> isUnmarked(one, other) && one.id().equals(other.id()));
        match(view, left, open, place, (one, other) -> isUnmarked(one, other) && hasSameShape(one, other));
        // A scheduler may only assume what kind of device it counts; then the number is all there is.
        match(view, left, open, place, (one, other) -> isUnmarked(one, other) && hasSameNumber(one, other));
        for (AcceleratorProfile device : left) {
            boolean taken = merged.stream().anyMatch(one -> one.profile.id().equals(device.id()));
            if (!whole && !taken) {
                Merged added = new Merged(view.source(), device);
                merged.add(added);
                place.put(device.id(), added);
            }
        }
    }

    private void match(
            View view,
            List<AcceleratorProfile> left,
            List<Merged> open,
            Map<DeviceId, Merged> place,
            BiPredicate<AcceleratorProfile, AcceleratorProfile> same) {
        left.removeIf(device -> {
            for (Merged candidate : open) {
                if (same.test(candidate.profile, device)) {
                    open.remove(candidate);
                    place.put(device.id(), candidate);
                    candidate.profile =
                            FactMerge.of(candidate.source, candidate.profile, view.source(), device, conflicts);
                    return true;
                }
            }
            return false;
        });
    }

    private static boolean hasSameUuid(AcceleratorProfile one, AcceleratorProfile other) {
        Optional<String> uuid = one.reading(DeviceFact.UUID).find();
        return uuid.isPresent() && uuid.equals(other.reading(DeviceFact.UUID).find());
    }

    private static boolean hasSamePlace(AcceleratorProfile one, AcceleratorProfile other) {
        Optional<PciAddress> place = one.reading(DeviceFact.PCI_ADDRESS).find();
        return place.isPresent()
                && one.partition().isEmpty()
                && other.partition().isEmpty()
                && place.equals(other.reading(DeviceFact.PCI_ADDRESS).find());
    }

    /// Reports whether nothing surer than a number tells the two apart.
    private static boolean isUnmarked(AcceleratorProfile one, AcceleratorProfile other) {
        return !differs(one, other, DeviceFact.UUID) && !differs(one, other, DeviceFact.PCI_ADDRESS);
    }

    private static boolean differs(AcceleratorProfile one, AcceleratorProfile other, DeviceFact<?> fact) {
        Optional<?> own = one.reading(fact).find();
        Optional<?> its = other.reading(fact).find();
        return own.isPresent() && its.isPresent() && !own.equals(its);
    }

    private static boolean hasSameShape(AcceleratorProfile one, AcceleratorProfile other) {
        Optional<String> shape = one.partition().map(Partition::shape).filter(text -> !text.isBlank());
        return shape.isPresent() && shape.equals(other.partition().map(Partition::shape));
    }

    private static boolean hasSameNumber(AcceleratorProfile one, AcceleratorProfile other) {
        return !isCpu(one)
                && !isCpu(other)
                && one.partition().isEmpty()
                && other.partition().isEmpty()
                && one.accelerator().deviceId() == other.accelerator().deviceId()
                && (FactMerge.isAssumed(one.deviceName()) || FactMerge.isAssumed(other.deviceName()));
    }

    private static boolean isCpu(AcceleratorProfile device) {
        return device.accelerator().kind() == AcceleratorKind.CPU;
    }

    /// A device that one source has and another lacks is the contradiction that matters most.
    private void compareCounts(List<View> views) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (View view : views) {
            List<AcceleratorProfile> profiles = view.host().registry().profiles();
            // A source that lists nothing at all does not speak of devices.
            if (!profiles.isEmpty()) {
                long count = profiles.stream()
                        .filter(device -> !isCpu(device) && !device.isDivided())
                        .count();
                if (count > 0 || view.kind().listsAllDevices()) {
                    counts.putIfAbsent(view.source(), count);
                }
            }
        }
        if (counts.values().stream().distinct().count() > 1) {
            List<Statement> statements = new ArrayList<>();
            counts.forEach((source, count) -> statements.add(new Statement(source, Long.toString(count))));
            conflicts.add(new Contradiction("devices", statements));
        }
    }
}
