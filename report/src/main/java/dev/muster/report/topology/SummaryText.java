// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.topology;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.TopologyNode;
import dev.muster.core.TopologySummary;
import dev.muster.core.TopologySummary.Group;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A summary of many hosts: the parts of each group of similar ones, the matrix of one of them, and the links between
/// them.
final class SummaryText {
    /// The largest number of groups that are described one by one.
    private static final int MOST_GROUPS = 16;

    private final TopologySummary summary;
    private final Terminal terminal;
    private final StringBuilder out = new StringBuilder();
    /// The number of accelerators and network cards that still get a matrix.
    private int room = TopologySummary.MOST_RELATED;

    private SummaryText(TopologySummary summary, Terminal terminal) {
        this.summary = summary;
        this.terminal = terminal;
    }

    static String of(AcceleratorRegistry registry, Terminal terminal) {
        SummaryText text = new SummaryText(TopologySummary.of(registry), terminal);
        List<Group> groups = text.summary.groups();
        groups.subList(0, Math.min(MOST_GROUPS, groups.size())).forEach(text::add);
        if (groups.size() > MOST_GROUPS) {
            terminal.wrap(
                    text.out,
                    "",
                    2,
                    (groups.size() - MOST_GROUPS) + " further kinds of hosts are not shown; see --json.");
        }
        text.addBetween(MatrixText.items(registry).size());
        return text.out.toString();
    }

    static JsonObject.ObjectBuilder addTo(JsonObject.ObjectBuilder document, AcceleratorRegistry registry) {
        TopologySummary summary = TopologySummary.of(registry);
        return document.put("groups", summary.groups(), SummaryText::json)
                .put("islands", summary.islands())
                .put("domains", summary.domains());
    }

    private static JsonValue json(Group group) {
        JsonObject.ObjectBuilder object =
                JsonObject.builder().put("hosts", group.hosts(), name -> new JsonValue.JsonString(name));
        return new MatrixText(group.example()).addTo(object).build();
    }

    private void add(Group group) {
        List<TopologyNode> items = MatrixText.items(group.example());
        String names = Printable.of(
                        group.hosts().isEmpty()
                                ? "On no known host"
                                : group.hosts().getFirst())
                + (group.hosts().size() > 1 ? " and " + Count.of(group.hosts().size() - 1, "host") + " like it" : "");
        String parts = items.isEmpty() ? "no accelerator and no network card" : parts(group.example(), items);
        terminal.wrap(out, "", 2, terminal.plain(names + ": " + parts));
        if (items.size() <= room && !items.isEmpty()) {
            room -= items.size();
            out.append(MatrixText.of(group.example(), terminal));
        } else {
            fabrics(group.example())
                    .forEach((fabric, count) ->
                            terminal.wrap(out, "  ", 4, terminal.plain((count > 1 ? count + " x " : "") + fabric)));
        }
        out.append('\n');
    }

    /// Returns the parts of a host, such as `8 x H100 SXM5 80GB, 8 x InfiniBand 50 GB/s`.
    private static String parts(AcceleratorRegistry host, List<TopologyNode> items) {
        NodeText words = new NodeText(host);
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (TopologyNode item : items) {
            String kind = item instanceof TopologyNode.Nic nic
                    ? words.nicRate(nic).orElse("network card")
                    : words.title(item);
            counts.merge(kind, 1, Integer::sum);
        }
        List<String> parts = new ArrayList<>();
        counts.forEach((kind, count) -> parts.add(count + " x " + kind));
        return String.join(", ", parts);
    }

    private static Map<String, Integer> fabrics(AcceleratorRegistry host) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Fabric fabric : Fabric.of(host.topology())) {
            counts.merge(fabric.describe() + ": " + Count.of(fabric.devices().size(), "device"), 1, Integer::sum);
        }
        return counts;
    }

    private void addBetween(int items) {
        int hosts = summary.hosts();
        if (hosts > 1) {
            String fabric = summary.domains() == hosts
                    ? ""
                    : "A fabric joins devices of hosts, in " + Count.of(summary.domains(), "domain") + ". ";
            String way = summary.islands() == 1
                    ? "All " + hosts + " hosts are connected: NET, unless a fabric is nearer."
                    : summary.islands() == hosts
                            ? "No network is known between the " + hosts + " hosts."
                            : "Hosts form " + summary.islands() + " islands without a known connection.";
            terminal.wrap(out, "", 2, terminal.plain(fabric + way));
        }
        String how = hosts > 1
                ? "--within HOST shows one host, such as --within " + lastHost() + "."
                : "--tree shows all of it.";
        terminal.wrap(
                out,
                "",
                2,
                terminal.plain("A matrix of all " + items + " accelerators and network cards would be too large to"
                        + " read (more than " + TopologySummary.MOST_RELATED + "); " + how));
    }

    private String lastHost() {
        String last = "";
        for (Group group : summary.groups()) {
            last = group.hosts().isEmpty() ? last : group.hosts().getLast();
        }
        return Printable.of(last);
    }
}
