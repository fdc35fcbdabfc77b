// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.unit.Bandwidth;
import java.util.List;
import java.util.Optional;

/// The NVLinks of one GPU, as `nvidia-smi nvlink -s` says.
///
/// @param gpu the GPU's number
/// @param active the rate of each link that is up, one way
/// @param inactive number of links that are down
/// @param remark the tool's reason for not reporting it; blank if it does
record NvidiaNvlinks(long gpu, List<Bandwidth> active, int inactive, String remark) {
    NvidiaNvlinks {
        active = List.copyOf(active);
    }

    /// The rate of all links that are up; none where no link is.
    Optional<Bandwidth> findTotal() {
        return active.isEmpty()
                ? Optional.empty()
                : Optional.of(new Bandwidth(active.stream()
                        .mapToDouble(Bandwidth::gigabytesPerSecond)
                        .sum()));
    }
}
