// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import java.util.List;

/// A node as Slurm describes it.
///
/// @param name its name
/// @param states its state and the flags with it, in Slurm's words: `IDLE`, `DRAIN`
/// @param reason the reason for being down or drained; may be blank
/// @param gres the configured resources
/// @param used the used part of them
/// @param allocatedGpus the number of GPUs are in use by the list of TRES, where that counts them; 0 otherwise
/// @param configuredGpus the number of GPUs there are by the list of TRES
/// @param partitions its partitions
/// @param features its configured features
/// @param reservation the reservation that it is in now; blank where it is in none
/// @param cpus its hardware threads
/// @param memory its memory
record SlurmNode(
        String name,
        List<String> states,
        String reason,
        List<Gres> gres,
        List<Gres> used,
        int allocatedGpus,
        int configuredGpus,
        List<String> partitions,
        List<String> features,
        String reservation,
        Reading<Long> cpus,
        Reading<Bytes> memory) {
    SlurmNode {
        states = List.copyOf(states);
        gres = List.copyOf(gres);
        used = List.copyOf(used);
        partitions = List.copyOf(partitions);
        features = List.copyOf(features);
    }
}
