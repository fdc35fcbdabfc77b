package dev.muster.cli.topology;

import dev.muster.core.TopologyNode;
import java.util.List;

/// A part of a machine and the parts below it.
///
/// @param node the part
/// @param children the parts below it
record Branch(TopologyNode node, List<Branch> children) {
    Branch {
        children = List.copyOf(children);
    }
}
