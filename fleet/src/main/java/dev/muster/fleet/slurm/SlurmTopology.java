// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import dev.muster.core.text.HostList;
import dev.muster.fleet.Domain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Switches and blocks: the lines of `topology.conf`, and those of `scontrol show topology`, which name the
/// same things with a level, a size and a link speed more.
final class SlurmTopology {
    /// Nothing is known of switches.
    static final SlurmTopology NONE = parse("");

    private static final Pattern FIELD = Pattern.compile("(?:^|\\s)([A-Za-z]+)=(\\S*)");
    /// The most switches and blocks that are read.
    private static final int MAX_LINES = 1 << 16;
    /// The deepest tree that is followed.
    private static final int MAX_LEVELS = 16;

    private final Map<String, Set<Domain>> domains = new HashMap<>();

    private SlurmTopology() {}

    static SlurmTopology parse(String text) {
        SlurmTopology topology = new SlurmTopology();
        Map<String, List<String>> leaves = new LinkedHashMap<>();
        Map<String, List<String>> above = new HashMap<>();
        text.lines().limit(MAX_LINES).map(SlurmTopology::withoutComment).forEach(line -> {
            Map<String, String> fields = fields(line);
            String block = fields.getOrDefault("blockname", "");
            String name = fields.getOrDefault("switchname", "");
            List<String> nodes = ScontrolText.hosts(fields.getOrDefault("nodes", ""));
            if (!block.isEmpty()) {
                nodes.forEach(node -> topology.add(node, new Domain(Domain.DomainKind.BLOCK, block)));
            }
            List<String> children = ScontrolText.hosts(fields.getOrDefault("switches", ""));
            // `show topology` lists nodes of every switch; those right below it are of the leaves alone.
            if (!name.isEmpty() && children.isEmpty()) {
                leaves.put(name, nodes);
            }
            children.forEach(child ->
                    above.computeIfAbsent(child, _ -> new ArrayList<>()).add(name));
        });
        leaves.forEach((leaf, nodes) -> {
            List<Domain> chain = chain(leaf, above);
            nodes.forEach(node -> chain.forEach(domain -> topology.add(node, domain)));
        });
        return topology;
    }

    private static String withoutComment(String line) {
        int comment = line.indexOf('#');
        return comment < 0 ? line : line.substring(0, comment);
    }

    private static Map<String, String> fields(String line) {
        Map<String, String> fields = new HashMap<>();
        Matcher field = FIELD.matcher(line);
        while (field.find()) {
            fields.putIfAbsent(field.group(1).toLowerCase(Locale.ROOT), field.group(2));
        }
        return fields;
    }

    private static List<Domain> chain(String leaf, Map<String, List<String>> above) {
        Set<Domain> chain = new LinkedHashSet<>();
        chain.add(new Domain(Domain.DomainKind.LEAF, leaf));
        Set<String> level = Set.of(leaf);
        for (int i = 0; i < MAX_LEVELS && !level.isEmpty(); i++) {
            Set<String> next = new LinkedHashSet<>();
            level.forEach(name -> next.addAll(above.getOrDefault(name, List.of())));
            next.forEach(name -> chain.add(new Domain(Domain.DomainKind.SPINE, name)));
            level = next;
        }
        return List.copyOf(chain);
    }

    private void add(String node, Domain domain) {
        if (domains.size() < HostList.MAX_HOSTS) {
            domains.computeIfAbsent(node, _ -> new LinkedHashSet<>()).add(domain);
        }
    }

    /// The domains that a node shares with others, the nearest first.
    List<Domain> domains(String node) {
        return List.copyOf(domains.getOrDefault(node, Set.of()));
    }

    /// The nodes that lie in some domain.
    Set<String> nodes() {
        return Set.copyOf(domains.keySet());
    }
}
