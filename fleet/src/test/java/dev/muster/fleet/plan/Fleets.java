// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.plan;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.fleet.Claim;
import dev.muster.fleet.Domain;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetHost;
import dev.muster.fleet.HostState;
import dev.muster.fleet.Restriction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Made-up hosts.
final class Fleets {
    static final HostState READY = new HostState(HostState.HostStateKind.READY, "IDLE", "");

    private Fleets() {}

    /// A host with devices of one kind, as its scheduler sees it.
    static FleetHost host(String name, String device, int gib, int count) {
        return host(name, device, Reading.known(Bytes.ofGib(gib), Provenance.GIVEN), count);
    }

    /// A host of whose devices the scheduler knows a word alone.
    static FleetHost called(String name, String device, int count) {
        return host(name, device, Reading.notProbed(), count);
    }

    private static FleetHost host(String name, String device, Reading<Bytes> memory, int count) {
        List<AcceleratorProfile> profiles = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            profiles.add(AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, i))
                    .with(DeviceFact.DEVICE_NAME, Reading.known(device, Provenance.GIVEN))
                    .with(DeviceFact.MEMORY, memory)
                    .build());
        }
        return new FleetHost(
                name,
                AcceleratorRegistry.of(profiles),
                READY,
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                List.of("test"),
                List.of());
    }

    static FleetHost held(FleetHost host, int count) {
        return with(host, host.state(), List.of(new Claim("job 1", "", count, List.of())), host.restrictions());
    }

    static FleetHost in(FleetHost host, Domain... domains) {
        return new FleetHost(
                host.name(),
                host.registry(),
                host.state(),
                host.claims(),
                List.of(domains),
                host.restrictions(),
                host.labels(),
                host.sources(),
                host.conflicts());
    }

    static FleetHost restricted(FleetHost host, Restriction... restrictions) {
        return with(host, host.state(), host.claims(), List.of(restrictions));
    }

    static FleetHost with(FleetHost host, HostState state, List<Claim> claims, List<Restriction> restrictions) {
        return new FleetHost(
                host.name(),
                host.registry(),
                state,
                claims,
                host.domains(),
                restrictions,
                host.labels(),
                host.sources(),
                host.conflicts());
    }

    static Fleet of(List<FleetHost> hosts) {
        return new Fleet(hosts, List.of());
    }
}
