// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bytes;

/// The specifications of a generation of chips.
///
/// @param display the name for people
/// @param gib high-bandwidth memory of one chip, or of one core, in GiB
/// @param rank the rank when the best device is chosen
/// @param throughput speed of inference relative to a CPU
/// @param training speed of training relative to a CPU; 0 where it cannot train
/// @param inReference true if documents of ai-hwaccel know the generation
record ChipSpecs(String display, long gib, int rank, double throughput, double training, boolean inReference) {
    Bytes memory() {
        return Bytes.ofGib(gib);
    }
}
