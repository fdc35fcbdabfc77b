// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import java.util.List;

/// A reservation of nodes.
///
/// @param name its name
/// @param active true if it holds now
/// @param nodes the nodes
/// @param detail from when to when, and for whom
record SlurmReservation(String name, boolean active, List<String> nodes, String detail) {
    SlurmReservation {
        nodes = List.copyOf(nodes);
    }
}
