// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.RegistryDifference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What changed from one fleet to another: hosts, their states, who may use them and who does, and their
/// devices but for what passes by itself. Immutable.
///
/// @param changes the changes, by host in the order of the later fleet, hosts that are gone last
/// @since 0.2
public record FleetDifference(List<Change> changes) {
    /// Copies the list.
    public FleetDifference {
        changes = List.copyOf(changes);
    }

    /// What changed.
    public static FleetDifference between(Fleet before, Fleet after) {
        Map<String, FleetHost> old = new HashMap<>();
        before.hosts().forEach(host -> old.put(host.name(), host));
        List<Change> changes = new ArrayList<>();
        for (FleetHost now : after.hosts()) {
            FleetHost was = old.remove(now.name());
            if (was == null) {
                changes.add(new HostAdded(now));
            } else {
                compare(was, now, changes);
            }
        }
        for (FleetHost was : before.hosts()) {
            if (old.containsKey(was.name())) {
                changes.add(new HostRemoved(was));
            }
        }
        return new FleetDifference(changes);
    }

    /// Whether nothing changed.
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    private static void compare(FleetHost was, FleetHost now, List<Change> changes) {
        if (!was.state().equals(now.state())) {
            changes.add(new StateChanged(now.name(), was.state(), now.state()));
        }
        if (!was.claims().equals(now.claims())) {
            changes.add(new ClaimsChanged(now.name(), was.claims(), now.claims()));
        }
        if (!was.domains().equals(now.domains())) {
            changes.add(new DomainsChanged(now.name(), was.domains(), now.domains()));
        }
        if (!was.restrictions().equals(now.restrictions())) {
            changes.add(new RestrictionsChanged(now.name(), was.restrictions(), now.restrictions()));
        }
        if (!was.registry().equals(now.registry())) {
            RegistryDifference devices = RegistryDifference.between(was.registry(), now.registry());
            if (!devices.isEmpty()) {
                changes.add(new DevicesChanged(now.name(), devices));
            }
        }
    }

    /// One change.
    ///
    /// @since 0.2
    public sealed interface Change {
        /// The host that changed.
        String hostName();
    }

    /// A host is there that was not.
    ///
    /// @param host the host
    /// @since 0.2
    public record HostAdded(FleetHost host) implements Change {
        @Override
        public String hostName() {
            return host.name();
        }
    }

    /// A host is gone.
    ///
    /// @param host the host as it was
    /// @since 0.2
    public record HostRemoved(FleetHost host) implements Change {
        @Override
        public String hostName() {
            return host.name();
        }
    }

    /// A host takes work now, or no longer does.
    ///
    /// @param hostName the host
    /// @param before the state before
    /// @param after the state after
    /// @since 0.2
    public record StateChanged(String hostName, HostState before, HostState after) implements Change {}

    /// Others hold a host's devices.
    ///
    /// @param hostName the host
    /// @param before who held them
    /// @param after who holds them
    /// @since 0.2
    public record ClaimsChanged(String hostName, List<Claim> before, List<Claim> after) implements Change {
        /// Copies the lists.
        public ClaimsChanged {
            before = List.copyOf(before);
            after = List.copyOf(after);
        }
    }

    /// A host lies elsewhere.
    ///
    /// @param hostName the host
    /// @param before what it shared with others
    /// @param after what it shares with others
    /// @since 0.2
    public record DomainsChanged(String hostName, List<Domain> before, List<Domain> after) implements Change {
        /// Copies the lists.
        public DomainsChanged {
            before = List.copyOf(before);
            after = List.copyOf(after);
        }
    }

    /// Others may use a host.
    ///
    /// @param hostName the host
    /// @param before who could
    /// @param after who may
    /// @since 0.2
    public record RestrictionsChanged(String hostName, List<Restriction> before, List<Restriction> after)
            implements Change {
        /// Copies the lists.
        public RestrictionsChanged {
            before = List.copyOf(before);
            after = List.copyOf(after);
        }
    }

    /// Devices of a host came, went or changed.
    ///
    /// @param hostName the host
    /// @param devices what changed of them
    /// @since 0.2
    public record DevicesChanged(String hostName, RegistryDifference devices) implements Change {}
}
