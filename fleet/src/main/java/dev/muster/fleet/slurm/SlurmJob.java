// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import java.util.List;
import java.util.Map;

/// A job that holds nodes.
///
/// @param id its number, with that of its task where it is one of an array
/// @param user its user; blank if Slurm does not report it
/// @param running true if it holds its nodes now
/// @param gres by node, what it holds there
record SlurmJob(String id, String user, boolean running, Map<String, List<Gres>> gres) {
    SlurmJob {
        gres = Map.copyOf(gres);
    }
}
