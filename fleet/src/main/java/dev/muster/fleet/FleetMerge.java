// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceId;
import dev.muster.core.text.NaturalOrder;
import dev.muster.fleet.FleetHost.Contradiction;
import dev.muster.fleet.FleetHost.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Makes one host of what several sources say of it.
final class FleetMerge {
    private FleetMerge() {}

    /// A host as one source reports it.
    record View(String source, SourceKind kind, HostReport host) {}

    static List<FleetHost> hosts(List<SourceReport> reports) {
        HostNames names = new HostNames(reports);
        Map<String, List<View>> views = new LinkedHashMap<>();
        for (SourceReport report : reports) {
            for (HostReport host : report.hosts()) {
                views.computeIfAbsent(names.key(host.name()), _ -> new ArrayList<>())
                        .add(new View(report.source(), report.kind(), host));
            }
        }
        List<FleetHost> hosts = new ArrayList<>();
        for (List<View> of : views.values()) {
            hosts.add(of.size() == 1 ? single(of.getFirst()) : merge(of));
        }
        hosts.sort(Comparator.comparing(FleetHost::name, NaturalOrder.INSTANCE));
        return hosts;
    }

    private static FleetHost single(View view) {
        HostReport host = view.host;
        return new FleetHost(
                host.name(),
                host.registry(),
                host.state(),
                host.claims(),
                host.domains(),
                host.restrictions(),
                host.labels(),
                List.of(view.source),
                List.of());
    }

    private static FleetHost merge(List<View> views) {
        List<View> exact =
                views.stream().sorted(Comparator.comparing(View::kind)).toList();
        List<View> scheduling = views.stream()
                .sorted(Comparator.comparing(View::kind).reversed())
                .toList();
        List<Contradiction> conflicts = new ArrayList<>();
        DeviceMerge devices = DeviceMerge.of(exact, conflicts);
        Set<Domain> domains = new LinkedHashSet<>();
        Set<Restriction> restrictions = new LinkedHashSet<>();
        Map<String, String> labels = new LinkedHashMap<>();
        for (View view : scheduling) {
            domains.addAll(view.host.domains());
            restrictions.addAll(view.host.restrictions());
            view.host.labels().forEach(labels::putIfAbsent);
        }
        List<Domain> nearest = new ArrayList<>(domains);
        nearest.sort(Comparator.comparing(Domain::kind));
        HostState state = state(scheduling, conflicts);
        compareDomains(scheduling, conflicts);
        AcceleratorRegistry registry = devices.registry();
        return new FleetHost(
                scheduling.getFirst().host.name(),
                registry,
                state,
                claims(scheduling, devices),
                nearest,
                List.copyOf(restrictions),
                labels,
                exact.stream().map(View::source).distinct().toList(),
                conflicts);
    }

    private static HostState state(List<View> scheduling, List<Contradiction> conflicts) {
        HostState state = HostState.UNKNOWN;
        List<Statement> statements = new ArrayList<>();
        Set<HostState.HostStateKind> kinds = new LinkedHashSet<>();
        for (View view : scheduling) {
            HostState own = view.host.state();
            if (own.kind() != HostState.HostStateKind.UNKNOWN) {
                state = state.kind() == HostState.HostStateKind.UNKNOWN ? own : state;
                kinds.add(own.kind());
                statements.add(new Statement(
                        view.source, own.text().isBlank() ? own.kind().text() : own.text()));
            } else if (state.text().isBlank() && state.kind() == HostState.HostStateKind.UNKNOWN) {
                state = own;
            }
        }
        if (kinds.size() > 1) {
            conflicts.add(new Contradiction("state", statements));
        }
        return state;
    }

    private static void compareDomains(List<View> views, List<Contradiction> conflicts) {
        for (Domain.DomainKind kind : Domain.DomainKind.values()) {
            // A host may lie under several switches above leaves, so that several names do not contradict each other.
            if (kind == Domain.DomainKind.SPINE) {
                continue;
            }
            Map<String, Set<String>> bySource = new LinkedHashMap<>();
            for (View view : views) {
                for (Domain domain : view.host.domains()) {
                    if (domain.kind() == kind) {
                        bySource.computeIfAbsent(view.source, _ -> new LinkedHashSet<>())
                                .add(domain.name());
                    }
                }
            }
            if (Set.copyOf(bySource.values()).size() > 1) {
                List<Statement> statements = new ArrayList<>();
                bySource.forEach((source, of) -> statements.add(new Statement(source, String.join(", ", of))));
                conflicts.add(new Contradiction(kind.text() + " domain", statements));
            }
        }
    }

    /// Those of the first kind of source that has any: the same devices are not counted twice.
    private static List<Claim> claims(List<View> scheduling, DeviceMerge devices) {
        Map<String, Claim> claims = new LinkedHashMap<>();
        SourceKind telling = null;
        for (View view : scheduling) {
            if (!view.host.claims().isEmpty() && (telling == null || telling == view.kind)) {
                telling = view.kind;
                for (Claim claim : view.host.claims()) {
                    claims.putIfAbsent(claim.holder(), renamed(claim, view, devices));
                }
            }
        }
        return List.copyOf(claims.values());
    }

    private static Claim renamed(Claim claim, View view, DeviceMerge devices) {
        List<DeviceId> known = claim.devices().stream()
                .flatMap(id -> devices.find(view, id).stream())
                .distinct()
                .toList();
        return new Claim(claim.holder(), claim.user(), claim.count(), known);
    }
}
