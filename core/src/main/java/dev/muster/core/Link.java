// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bandwidth;

/// An edge between two nodes; traffic flows both ways.
///
/// @param from one end
/// @param to the other end
/// @param kind the kind of connection
/// @param lanes the number of bundled parallel links, from 1
/// @param bandwidth the bundle's rate in each direction
/// @param state up or down
/// @since 0.1
public record Link(
        NodeId from, NodeId to, LinkKind kind, int lanes, Reading<Bandwidth> bandwidth, Reading<LinkState> state) {
    /// Checks that the link joins two nodes and bundles at least one lane.
    public Link {
        if (from.equals(to)) {
            throw new IllegalArgumentException("a link joins two nodes: " + from);
        }
        if (lanes < 1) {
            throw new IllegalArgumentException("a link has at least one lane: " + lanes);
        }
    }

    /// A single link of which only the kind is known.
    public static Link of(NodeId from, NodeId to, LinkKind kind) {
        return new Link(from, to, kind, 1, Reading.notProbed(), Reading.notProbed());
    }

    /// Reports whether the link is known to be down.
    public boolean isDown() {
        return state.matches(value -> value == LinkState.DOWN);
    }

    /// Reports whether a node is one of the two ends.
    public boolean touches(NodeId node) {
        return from.equals(node) || to.equals(node);
    }

    /// The end that is not the given one.
    public NodeId otherEnd(NodeId node) {
        if (!touches(node)) {
            throw new IllegalArgumentException(node + " is not an end of the link between " + from + " and " + to);
        }
        return from.equals(node) ? to : from;
    }

    /// The state of a link.
    ///
    /// @since 0.1
    public enum LinkState implements KebabCaseEnum {
        /// It does.
        UP,
        /// It does not.
        DOWN;
    }
}
