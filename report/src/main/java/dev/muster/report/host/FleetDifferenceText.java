// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.host;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.fleet.Claim;
import dev.muster.fleet.FleetDifference;
import dev.muster.fleet.FleetDifference.HostChange;
import dev.muster.fleet.FleetHost;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.List;

/// The differences between two fleets.
///
/// @param difference the differences
public record FleetDifferenceText(FleetDifference difference) implements Report {
    @Override
    public String text(Terminal terminal) {
        if (difference.isEmpty()) {
            return "No differences.\n";
        }
        StringBuilder out = new StringBuilder();
        difference.hosts().forEach(change -> lines(change, terminal, out));
        return out.toString();
    }

    private static void lines(HostChange change, Terminal terminal, StringBuilder out) {
        FleetHost host = change.host();
        String name = Printable.of(host.name());
        if (change.isAdded()) {
            out.append(terminal.green("+ host " + name + " (" + FleetText.devices(host) + ")") + "\n");
            return;
        }
        if (change.isRemoved()) {
            out.append(terminal.red("- host " + name + " (" + FleetText.devices(host) + ")") + "\n");
            return;
        }
        String arrow = " " + terminal.arrow() + " ";
        FleetHost before = change.previous();
        if (change.hasNewState()) {
            String reason = Printable.of(host.state().reason());
            out.append("~ " + name + " state: " + Printable.of(before.state().text()) + arrow
                    + Printable.of(host.state().text()) + (reason.isBlank() ? "" : " (" + reason + ")") + "\n");
        }
        if (change.hasNewClaims()) {
            out.append("~ " + name + " held by: " + holders(before.claims()) + arrow + holders(host.claims()) + "\n");
        }
        if (change.hasNewDomains()) {
            out.append("~ " + name + " is connected to other switches\n");
        }
        if (change.hasNewRestrictions()) {
            out.append("~ " + name + " is in other partitions\n");
        }
        if (!change.devices().isEmpty()) {
            new DifferenceText(change.devices())
                    .text(terminal)
                    .lines()
                    .forEach(line -> out.append("~ " + name + " " + line + "\n"));
        }
    }

    private static String holders(List<Claim> claims) {
        return claims.isEmpty()
                ? "none"
                : String.join(
                        ", ",
                        claims.stream()
                                .map(claim -> Printable.of(claim.holder()) + " (" + claim.count() + ")")
                                .toList());
    }

    private static int held(List<Claim> claims) {
        return claims.stream().mapToInt(Claim::count).sum();
    }

    @Override
    public JsonValue json() {
        List<JsonValue> changes = new ArrayList<>();
        difference.hosts().forEach(change -> addChanges(change, changes));
        return JsonObject.document("fleet-difference").put("changes", changes).build();
    }

    private static void addChanges(HostChange change, List<JsonValue> all) {
        FleetHost host = change.host();
        if (change.isAdded() || change.isRemoved()) {
            all.add(of(change.isAdded() ? "host-added" : "host-removed", host).build());
            return;
        }
        FleetHost before = change.previous();
        if (change.hasNewState()) {
            all.add(of("state-changed", host)
                    .put("before", before.state().text())
                    .put("after", host.state().text())
                    .build());
        }
        if (change.hasNewClaims()) {
            all.add(of("claims-changed", host)
                    .put("before", held(before.claims()))
                    .put("after", held(host.claims()))
                    .build());
        }
        if (change.hasNewDomains()) {
            all.add(of("domains-changed", host).build());
        }
        if (change.hasNewRestrictions()) {
            all.add(of("restrictions-changed", host).build());
        }
        if (!change.devices().isEmpty()) {
            all.add(of("devices-changed", host)
                    .put("changes", new DifferenceText(change.devices()).changes())
                    .build());
        }
    }

    private static JsonObject.ObjectBuilder of(String change, FleetHost host) {
        return JsonObject.builder().put("change", change).put("host", host.name());
    }
}
