// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceId;
import dev.muster.core.DeviceUsability;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// One host, by all that sources say of it. Immutable.
///
/// @param name its name
/// @param registry its devices; each fact says where it came from
/// @param state its state in the scheduler
/// @param claims the claims on its devices
/// @param domains the domains that it shares with other hosts, the nearest first
/// @param restrictions the restrictions on its use
/// @param labels other words of sources about it
/// @param sources the sources that know it, the most trusted first
/// @param conflicts the contradictions between sources
/// @since 0.2
public record FleetHost(
        String name,
        AcceleratorRegistry registry,
        HostState state,
        List<Claim> claims,
        List<Domain> domains,
        List<Restriction> restrictions,
        Map<String, String> labels,
        List<String> sources,
        List<Contradiction> conflicts) {
    /// Copies the lists.
    public FleetHost {
        claims = List.copyOf(claims);
        domains = List.copyOf(domains);
        restrictions = List.copyOf(restrictions);
        labels = Map.copyOf(labels);
        sources = List.copyOf(sources);
        conflicts = List.copyOf(conflicts);
    }

    /// The devices without a claim, as the scheduler sees it: none if the host takes no work. Where claims only
    /// count, the last devices are taken to be held.
    public List<AcceleratorProfile> free() {
        if (state.kind() == HostState.HostStateKind.DRAINING || state.kind() == HostState.HostStateKind.DOWN) {
            return List.of();
        }
        Set<DeviceId> held = new HashSet<>();
        int unnamed = 0;
        for (Claim claim : claims) {
            held.addAll(claim.devices());
            unnamed += claim.count() - claim.devices().size();
        }
        List<AcceleratorProfile> free = new ArrayList<>(accelerators());
        free.removeIf(device -> held.contains(device.id()) || hasFault(device));
        return List.copyOf(free.subList(0, Math.max(0, free.size() - unnamed)));
    }

    /// A device in use is left to the scheduler, if there is one: it knows by whom.
    private boolean hasFault(AcceleratorProfile device) {
        return DeviceUsability.of(device, registry)
                .findObstacle()
                .filter(reason -> switch (reason.obstacle()) {
                    case IN_USE -> state.kind() == HostState.HostStateKind.UNKNOWN;
                    case PARTITIONED -> device.isDivided();
                    case UNAVAILABLE, UNHEALTHY, HIDDEN, NOT_NAMED, WARNING -> true;
                })
                .isPresent();
    }

    /// The devices that work is given to: all but the CPU, and but those that are given out in slices alone. One that
    /// has no slice yet is listed all the same, and never free.
    public List<AcceleratorProfile> accelerators() {
        Set<DeviceId> sliced = new HashSet<>();
        for (AcceleratorProfile device : registry.profiles()) {
            device.partition().ifPresent(slice -> sliced.add(slice.parent()));
        }
        return registry.profiles().stream()
                .filter(device -> device.accelerator().kind() != AcceleratorKind.CPU
                        && !(device.isDivided() && sliced.contains(device.id())))
                .toList();
    }

    /// Something that two sources say differently.
    ///
    /// @param what the subject, such as `cuda:0 memory` or `devices`
    /// @param statements the contradicting statements
    /// @since 0.2
    public record Contradiction(String what, List<Statement> statements) {
        /// Copies the list.
        public Contradiction {
            statements = List.copyOf(statements);
        }
    }

    /// The statement of a source.
    ///
    /// @param source the source by name
    /// @param value its word
    /// @since 0.2
    public record Statement(String source, String value) {}
}
