// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import java.util.ArrayList;
import java.util.List;

/// One GPU: a package, or a die of a package that is a device of its own.
///
/// @param nodes its nodes in the compute driver's topology: none, one, or one for each partition
/// @param card the graphics driver's view of it; [AmdCard#NONE] if there is none
record GpuPackage(List<KfdNode> nodes, AmdCard card) {
    GpuPackage {
        nodes = List.copyOf(nodes);
    }

    /// Puts the two views together. GPUs that can compute come first, in the order of the topology, which is the order
    /// in which ROCm counts them; the other cards follow.
    static List<GpuPackage> join(List<KfdNode> nodes, List<AmdCard> cards) {
        List<List<KfdNode>> chips = new ArrayList<>();
        for (KfdNode node : nodes) {
            List<KfdNode> chip = chips.stream()
                    .filter(known -> known.getFirst().isSameChip(node))
                    .findFirst()
                    .orElseGet(() -> {
                        List<KfdNode> started = new ArrayList<>();
                        chips.add(started);
                        return started;
                    });
            chip.add(node);
        }
        List<AmdCard> left = new ArrayList<>(cards);
        List<GpuPackage> joined = new ArrayList<>();
        for (List<KfdNode> chip : chips) {
            AmdCard card = left.stream()
                    .filter(candidate -> candidate.address().matches(chip.getFirst()::isAt))
                    .findFirst()
                    .orElse(AmdCard.NONE);
            left.remove(card);
            joined.add(new GpuPackage(chip, card));
        }
        left.forEach(card -> joined.add(new GpuPackage(List.of(), card)));
        return joined;
    }

    boolean isPartitioned() {
        return nodes.size() > 1;
    }
}
