// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.plan;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetHost;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.catalogue.DeviceCatalogue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Hosts that offer the same: as many free devices of one kind. What is planned for one of them holds for all.
/// Immutable.
///
/// @param kind the kind of the devices, for people
/// @param devices the number of devices that each host offers
/// @param registry one of the hosts, with the devices that it offers: the one with the least memory free
/// @param offers the offer of each host
record HostClass(String kind, int devices, AcceleratorRegistry registry, List<Offer> offers) {
    HostClass {
        offers = List.copyOf(offers);
    }

    /// The assumption about the devices; empty if none was needed.
    Optional<PlanNote> assumption() {
        return registry.profiles().stream()
                .flatMap(device -> device.deviceName() instanceof Reading.Known<String> known
                                && known.provenance().confidence() == Provenance.Confidence.ASSUMED
                                && !known.value().equals(kind)
                        ? Stream.of(PlanNote.of(PlanNote.Topic.LEAST_FORM, kind, known.value()))
                        : Stream.empty())
                .findFirst();
    }

    /// The offer of one host.
    ///
    /// @param host the host
    /// @param free its free devices of the kind
    record Offer(FleetHost host, List<AcceleratorProfile> free) {
        Offer {
            free = List.copyOf(free);
        }
    }

    /// The marks of equal hosts.
    private record Key(String kind, String name, String memory, int count, boolean isWhole) {}

    /// Hosts that are not used, and why.
    ///
    /// @param classes the hosts that are, by what they offer; those with the most devices first
    /// @param refused the number of refused hosts by reason
    record Sorted(List<HostClass> classes, Map<String, Integer> refused) {}

    static Sorted sort(Fleet fleet, Admission admission) {
        Map<Key, List<Offer>> byKey = new LinkedHashMap<>();
        Map<String, Integer> refused = new LinkedHashMap<>();
        for (FleetHost host : fleet.hosts()) {
            String refusal = admission.refusal(host).orElse("");
            if (refusal.isEmpty() && addOffers(host, byKey) == 0) {
                refusal = host.accelerators().isEmpty() ? "no accelerator" : "no device is free";
            }
            if (!refusal.isEmpty()) {
                refused.merge(refusal, 1, Integer::sum);
            }
        }
        List<HostClass> classes = new ArrayList<>();
        byKey.forEach((key, offers) -> classes.add(of(key, offers)));
        classes.sort((a, b) -> Long.compare((long) b.devices * b.offers.size(), (long) a.devices * a.offers.size()));
        return new Sorted(List.copyOf(classes), refused);
    }

    private static int addOffers(FleetHost host, Map<Key, List<Offer>> byKey) {
        // What a scheduler believes free may be in use all the same, or unhealthy: the host itself knows better.
        Set<AcceleratorProfile> usable =
                same(DeviceChoice.defaults(host.registry()).accelerators());
        Map<String, List<AcceleratorProfile>> byKind = new LinkedHashMap<>();
        for (AcceleratorProfile device : host.free()) {
            if (usable.contains(device)) {
                byKind.computeIfAbsent(kindOf(device), _ -> new ArrayList<>()).add(device);
            }
        }
        int all = host.accelerators().size();
        byKind.values()
                .forEach(free -> byKey.computeIfAbsent(key(free, all), _ -> new ArrayList<>())
                        .add(new Offer(host, free)));
        return byKind.size();
    }

    /// Profiles as objects: to compare all that they say would take long.
    private static Set<AcceleratorProfile> same(List<AcceleratorProfile> devices) {
        Set<AcceleratorProfile> set = Collections.newSetFromMap(new IdentityHashMap<>());
        set.addAll(devices);
        return set;
    }

    private static Key key(List<AcceleratorProfile> free, int all) {
        AcceleratorProfile first = free.getFirst();
        return new Key(kindOf(first), nameOf(first), memoryOf(first), free.size(), free.size() == all);
    }

    private static String kindOf(AcceleratorProfile device) {
        return device.accelerator().kind().name() + "/" + nameOf(device) + "/" + memoryOf(device)
                + device.partition().map(slice -> "/" + slice.shape()).orElse("");
    }

    private static String nameOf(AcceleratorProfile device) {
        return device.deviceName().find().orElse(device.accelerator().display());
    }

    private static String memoryOf(AcceleratorProfile device) {
        return device.memory().find().map(Bytes::toString).orElse("");
    }

    private static HostClass of(Key key, List<Offer> offers) {
        Offer least = offers.getFirst();
        for (Offer offer : offers) {
            least = freeMemory(offer) < freeMemory(least) ? offer : least;
        }
        DeviceForm forms = new DeviceForm(DeviceCatalogue.builtIn());
        AcceleratorRegistry registry = least.host()
                .registry()
                .withDevices(withProcessor(least).stream().map(forms::completed).toList());
        return new HostClass(key.name(), key.count(), registry, offers);
    }

    private static List<AcceleratorProfile> withProcessor(Offer offer) {
        Set<AcceleratorProfile> free = same(offer.free());
        Set<AcceleratorProfile> accelerators = same(offer.host().accelerators());
        return offer.host().registry().profiles().stream()
                .filter(device -> free.contains(device) || !accelerators.contains(device))
                .toList();
    }

    /// The least of a host's devices; what is not known counts as all of it.
    private static double freeMemory(Offer offer) {
        double least = Double.POSITIVE_INFINITY;
        for (AcceleratorProfile device : offer.free()) {
            least = Math.min(least, device.number(DeviceFact.MEMORY_FREE).orElse(Double.POSITIVE_INFINITY));
        }
        return least;
    }
}
