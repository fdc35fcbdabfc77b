// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

/// The name of a node within one topology, such as `host`, `numa:0`, `device:cuda:1` or `nic:mlx5_0`.
///
/// @param text the id as text; not blank
/// @since 0.1
public record NodeId(String text) implements Comparable<NodeId> {
    /// Checks that the text is not blank.
    public NodeId {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a node id is not blank");
        }
    }

    @Override
    public int compareTo(NodeId other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
