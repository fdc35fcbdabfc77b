// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.topology;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Link;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.topology.TopologyTree.Branch;
import java.util.ArrayList;
import java.util.List;

/// A topology as a tree of text, with its fabrics below.
public final class TreeText {
    private final Terminal terminal;
    private final NodeText words;
    private final StringBuilder out = new StringBuilder();

    private TreeText(Terminal terminal, NodeText words) {
        this.terminal = terminal;
        this.words = words;
    }

    /// Returns the tree of a registry's machine.
    public static String of(AcceleratorRegistry registry, Terminal terminal) {
        TreeText text = new TreeText(terminal, new NodeText(registry));
        for (Branch root : TopologyTree.of(registry, text.words)) {
            text.line("", "", root);
            text.children(root, "");
        }
        for (Fabric fabric : Fabric.of(registry.topology())) {
            text.fabric(fabric, registry);
        }
        return text.out.toString();
    }

    private void children(Branch branch, String indent) {
        for (int i = 0; i < branch.children().size(); i++) {
            Branch child = branch.children().get(i);
            boolean last = i == branch.children().size() - 1;
            line(indent, terminal.ascii() ? (last ? "`-- " : "|-- ") : (last ? "└─ " : "├─ "), child);
            String rail = terminal.ascii() ? "|   " : "│  ";
            children(child, indent + (last ? " ".repeat(rail.length()) : rail));
        }
    }

    private void line(String indent, String sign, Branch branch) {
        List<String> parts = new ArrayList<>();
        parts.add(words.title(branch.node()));
        parts.addAll(words.details(branch.node()));
        String start = indent + sign;
        terminal.wrap(out, start, start.length() + 2, terminal.plain(String.join(", ", parts)));
    }

    private void fabric(Fabric fabric, AcceleratorRegistry registry) {
        out.append(terminal.bold(fabric.describe() + ":")).append('\n');
        if (!fabric.switches().isEmpty() || fabric.isFullMesh()) {
            fabric.devices()
                    .forEach(device -> registry.topology()
                            .findNode(device)
                            .ifPresent(node ->
                                    terminal.wrap(out, "  ", 4, NodeText.label(node) + ": " + fabric.share(device))));
            return;
        }
        for (Link link : fabric.links()) {
            String ends = NodeText.label(
                            registry.topology().findNode(link.from()).orElseThrow())
                    + " - "
                    + NodeText.label(registry.topology().findNode(link.to()).orElseThrow());
            terminal.wrap(out, "  ", 4, ends + ": " + Fabric.describe(link));
        }
    }
}
