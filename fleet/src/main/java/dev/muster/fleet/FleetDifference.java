// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.RegistryDifference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The changes from one fleet to another: hosts, their states, claims, domains and restrictions, and their devices
/// without volatile facts. Immutable.
///
/// @param hosts the changed hosts in the order of the later fleet, then removed hosts
/// @since 0.2
public record FleetDifference(List<HostChange> hosts) {
    /// Copies the list.
    public FleetDifference {
        hosts = List.copyOf(hosts);
    }

    /// Compares two fleets.
    public static FleetDifference between(Fleet before, Fleet after) {
        Map<String, FleetHost> old = new HashMap<>();
        before.hosts().forEach(host -> old.put(host.name(), host));
        List<HostChange> changes = new ArrayList<>();
        for (FleetHost now : after.hosts()) {
            HostChange change = HostChange.between(old.remove(now.name()), now);
            if (!change.isEmpty()) {
                changes.add(change);
            }
        }
        for (FleetHost was : before.hosts()) {
            if (old.containsKey(was.name())) {
                changes.add(HostChange.between(was, null));
            }
        }
        return new FleetDifference(changes);
    }

    /// Reports whether nothing changed.
    public boolean isEmpty() {
        return hosts.isEmpty();
    }

    /// A host that was added, was removed or has changed.
    ///
    /// @param before the host as it was; null where it was added
    /// @param after the host as it is; null where it was removed
    /// @param devices the changes of its devices; none where it was added or removed
    /// @since 0.2
    public record HostChange(
            @Nullable FleetHost before, @Nullable FleetHost after, RegistryDifference devices) {
        private static HostChange between(@Nullable FleetHost before, @Nullable FleetHost after) {
            if (before == null || after == null || before.registry().equals(after.registry())) {
                return new HostChange(before, after, RegistryDifference.NONE);
            }
            return new HostChange(before, after, RegistryDifference.between(before.registry(), after.registry()));
        }

        /// Checks that there is a host.
        public HostChange {
            if (before == null && after == null) {
                throw new IllegalArgumentException("a change of a host needs a host");
            }
        }

        private boolean isEmpty() {
            return !(isAdded()
                    || isRemoved()
                    || hasNewState()
                    || hasNewClaims()
                    || hasNewDomains()
                    || hasNewRestrictions()
                    || !devices.isEmpty());
        }

        /// Reports whether the host was added.
        public boolean isAdded() {
            return before == null;
        }

        /// Reports whether the host was removed.
        public boolean isRemoved() {
            return after == null;
        }

        /// The host as it is; as it was where it was removed.
        public FleetHost host() {
            return after != null ? after : Objects.requireNonNull(before);
        }

        /// The host as it was; as it is where it was added.
        public FleetHost previous() {
            return before != null ? before : Objects.requireNonNull(after);
        }

        /// Reports whether the scheduler gives the host another state.
        public boolean hasNewState() {
            return !host().state().equals(previous().state());
        }

        /// Reports whether other jobs hold devices of the host.
        public boolean hasNewClaims() {
            return !host().claims().equals(previous().claims());
        }

        /// Reports whether the host is in other domains, such as under another switch.
        public boolean hasNewDomains() {
            return !host().domains().equals(previous().domains());
        }

        /// Reports whether other jobs may use the host.
        public boolean hasNewRestrictions() {
            return !host().restrictions().equals(previous().restrictions());
        }
    }
}
