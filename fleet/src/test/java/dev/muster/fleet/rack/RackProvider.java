// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.rack;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.unit.Bytes;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.FleetSourceContext;
import dev.muster.fleet.FleetSourceProvider;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.HostState;
import dev.muster.fleet.SourceKind;
import dev.muster.fleet.SourceReport;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A source that a user adds: `rack:HOSTS` has numbered hosts with one GPU each.
public final class RackProvider implements FleetSourceProvider {
    @Override
    public String scheme() {
        return "rack";
    }

    @Override
    public String usage() {
        return "rack:HOSTS";
    }

    @Override
    public FleetSource open(String text, FleetSourceContext context) {
        if (!text.matches("[1-9]")) {
            throw new IllegalArgumentException("'" + text + "' is not a number of hosts from 1 to 9");
        }
        return new Rack(Integer.parseInt(text), context.host().clock());
    }

    private record Rack(int size, InstantSource clock) implements FleetSource {
        @Override
        public String name() {
            return "rack";
        }

        @Override
        public SourceReport read(Duration limit) {
            AcceleratorRegistry gpu = AcceleratorRegistry.of(List.of(AcceleratorProfile.cuda(0, Bytes.ofGib(80))));
            List<HostReport> hosts = new ArrayList<>();
            for (int i = 1; i <= size; i++) {
                HostState ready = new HostState(HostState.HostStateKind.READY, "UP", "");
                hosts.add(new HostReport("rack" + i, gpu, ready, List.of(), List.of(), List.of(), Map.of()));
            }
            return new SourceReport(name(), SourceKind.SCHEDULER, clock.instant(), hosts, List.of());
        }
    }
}
