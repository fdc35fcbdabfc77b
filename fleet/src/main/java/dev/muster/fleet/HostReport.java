// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.AcceleratorRegistry;
import java.util.List;
import java.util.Map;

/// A host as one source reports it. Immutable. A source without a scheduler reports the state
/// [HostState#UNKNOWN] and lists no claims.
///
/// @param name the host's name as the source writes it
/// @param registry its devices, each fact with the source as its provenance; a source that only counts devices numbers
///     them from 0
/// @param state its state in the scheduler
/// @param claims the claims on its devices
/// @param domains the domains that it shares with other hosts, the nearest first: NVLink domain, block, leaf switch,
///     rack, zone
/// @param restrictions the restrictions on its use: partitions, reservations, taints
/// @param labels other words of the source about it, such as features and labels; by key
/// @since 0.2
public record HostReport(
        String name,
        AcceleratorRegistry registry,
        HostState state,
        List<Claim> claims,
        List<Domain> domains,
        List<Restriction> restrictions,
        Map<String, String> labels) {
    /// Copies the lists.
    public HostReport {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a host has a name");
        }
        claims = List.copyOf(claims);
        domains = List.copyOf(domains);
        restrictions = List.copyOf(restrictions);
        labels = Map.copyOf(labels);
    }

    /// The report of a source that knows only devices.
    public static HostReport ofDevices(String name, AcceleratorRegistry registry) {
        return new HostReport(name, registry, HostState.UNKNOWN, List.of(), List.of(), List.of(), Map.of());
    }
}
