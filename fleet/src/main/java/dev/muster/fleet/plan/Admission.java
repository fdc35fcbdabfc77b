// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.plan;

import dev.muster.fleet.FleetHost;
import dev.muster.fleet.HostState;
import dev.muster.fleet.Restriction;
import java.util.Optional;
import java.util.Set;

/// The hosts of a fleet that may be used: those that take work, of the requested partition, and neither
/// reserved nor tainted unless it is said that this is fine. Immutable.
///
/// @param partition the partition of Slurm that is asked; blank for any
/// @param reservation the reservation of Slurm that is used; blank where none is
/// @param tolerations keys of taints that are tolerated; `*` is all
/// @since 0.2
public record Admission(String partition, String reservation, Set<String> tolerations) {
    /// Hosts without restrictions.
    public static final Admission DEFAULT = new Admission("", "", Set.of());

    private static final String ALL = "*";
    /// A taint with this effect is a wish, not a rule.
    private static final String WISH = "PreferNoSchedule";

    /// Copies the set.
    public Admission {
        tolerations = Set.copyOf(tolerations);
    }

    /// The reason for refusing a host; empty if it may be used.
    public Optional<String> refusal(FleetHost host) {
        if (host.state().kind() == HostState.HostStateKind.DOWN
                || host.state().kind() == HostState.HostStateKind.DRAINING) {
            String reason = host.state().reason();
            return Optional.of(host.state().kind().text() + (reason.isBlank() ? "" : ": " + reason));
        }
        boolean inPartition = partition.isBlank();
        boolean inReservation = reservation.isBlank();
        for (Restriction one : host.restrictions()) {
            switch (one.kind()) {
                case PARTITION -> inPartition |= one.name().equals(partition);
                case RESERVATION -> {
                    if (!one.name().equals(reservation)) {
                        return Optional.of("reserved: " + one.name());
                    }
                    inReservation = true;
                }
                case TAINT -> {
                    if (!isTolerated(one)) {
                        return Optional.of("tainted: " + one.name());
                    }
                }
            }
        }
        return inPartition && inReservation
                ? Optional.empty()
                : Optional.of("not in " + (inPartition ? "reservation " + reservation : "partition " + partition));
    }

    private boolean isTolerated(Restriction taint) {
        return taint.detail().endsWith(WISH) || tolerations.contains(ALL) || tolerations.contains(taint.name());
    }
}
