// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.plan;

import dev.muster.fleet.Domain;
import dev.muster.fleet.plan.HostClass.Offer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Chooses hosts that are near to each other: for each group the narrowest domain that holds it, and of several such
/// the one with the fewest hosts left, so that large domains stay whole for large jobs. Confined to one thread.
final class NearHosts {
    private final List<Offer> left;

    NearHosts(List<Offer> offers) {
        this.left = new ArrayList<>(offers);
    }

    /// Takes groups of hosts, one after the other.
    ///
    /// @throws IllegalArgumentException if there are not so many hosts
    List<Offer> take(int groups, int size) {
        if ((long) groups * size > left.size()) {
            throw new IllegalArgumentException(groups + " x " + size + " hosts of " + left.size());
        }
        // Groups stand near to each other where one domain holds them all.
        List<Offer> room = new ArrayList<>(narrowest(left, groups * size));
        List<Offer> taken = new ArrayList<>();
        for (Domain.DomainKind kind : Domain.DomainKind.values()) {
            for (List<Offer> domain : domains(room, kind)) {
                int missing = groups - taken.size() / size;
                List<Offer> own = domain.subList(0, Math.min(missing, domain.size() / size) * size);
                taken.addAll(own);
                room.removeAll(new HashSet<>(own));
            }
        }
        taken.addAll(room.subList(0, groups * size - taken.size()));
        left.removeAll(new HashSet<>(taken));
        return taken;
    }

    /// The hosts of the narrowest domain that has enough; all where none has.
    private static List<Offer> narrowest(List<Offer> offers, int size) {
        for (Domain.DomainKind kind : Domain.DomainKind.values()) {
            for (List<Offer> domain : domains(offers, kind)) {
                if (domain.size() >= size) {
                    return domain;
                }
            }
        }
        return offers;
    }

    /// The hosts by their domain of a kind, the smallest domain first.
    private static List<List<Offer>> domains(List<Offer> offers, Domain.DomainKind kind) {
        Map<String, List<Offer>> byName = new LinkedHashMap<>();
        for (Offer offer : offers) {
            for (Domain domain : offer.host().domains()) {
                if (domain.kind() == kind) {
                    byName.computeIfAbsent(domain.name(), _ -> new ArrayList<>())
                            .add(offer);
                }
            }
        }
        List<List<Offer>> domains = new ArrayList<>(byName.values());
        domains.sort(Comparator.comparingInt(List::size));
        return domains;
    }

    /// The domains that all of some hosts share, the nearest first.
    static List<Domain> shared(List<Offer> offers) {
        List<Domain> shared = new ArrayList<>();
        if (!offers.isEmpty()) {
            shared.addAll(offers.getFirst().host().domains());
            offers.forEach(offer -> shared.retainAll(offer.host().domains()));
        }
        return shared;
    }
}
