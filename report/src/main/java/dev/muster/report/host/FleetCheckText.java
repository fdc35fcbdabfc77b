// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.host;

import dev.muster.core.Finding;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.fleet.FleetHost;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The conditions of a preflight on each host of a fleet.
public record FleetCheckText(List<HostCheck> hosts) implements Report {
    private static final int MOST_NAMES = 200;

    /// The conditions on one host.
    public record HostCheck(FleetHost host, List<Finding> findings) {
        private CheckText check() {
            return new CheckText(findings);
        }

        private String reasons() {
            return String.join(
                    "; ",
                    findings.stream()
                            .filter(finding -> !finding.isPassed())
                            .map(finding -> finding.id() + ": " + finding.message())
                            .toList());
        }
    }

    /// Reports whether there are hosts, and all conditions hold on each.
    public boolean passed() {
        return !hosts.isEmpty() && hosts.stream().allMatch(host -> host.check().passed());
    }

    /// Hosts that fail for the same reason share a line.
    @Override
    public String text(Terminal terminal) {
        Map<String, List<FleetHost>> failed = new LinkedHashMap<>();
        List<FleetHost> passed = new ArrayList<>();
        for (HostCheck host : hosts) {
            if (host.check().passed()) {
                passed.add(host.host);
            } else {
                failed.computeIfAbsent(host.reasons(), _ -> new ArrayList<>()).add(host.host);
            }
        }
        StringBuilder out = new StringBuilder();
        if (!passed.isEmpty()) {
            out.append(line(true, passed, terminal)).append('\n');
        }
        failed.forEach((reason, some) -> out.append(line(false, some, terminal) + ": " + Printable.of(reason) + "\n"));
        return out.toString();
    }

    private static String line(boolean passed, List<FleetHost> hosts, Terminal terminal) {
        return CheckText.mark(passed, terminal) + "  " + Count.of(hosts.size(), "host") + ": "
                + FleetText.names(hosts, MOST_NAMES);
    }

    @Override
    public JsonValue json() {
        return JsonObject.document("fleet-check")
                .put("passed", passed())
                .put(
                        "hosts",
                        hosts,
                        host -> host.check()
                                .addTo(JsonObject.builder().put("host", host.host.name()))
                                .build())
                .build();
    }
}
