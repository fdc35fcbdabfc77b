package dev.muster.detect.normalise;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.CpuSet;
import java.util.List;

/// A NUMA node of a host.
///
/// @param number the kernel's number for it; numbers need not start at 0 nor follow each other
/// @param memory its memory
/// @param cpus its processors; none for memory on its own, such as a GPU's
/// @param distances the firmware's figures for the way to each node that is there, in the order of their numbers, 10
/// for the node itself; empty where the firmware has none
public record NumaNode(long number, Reading<Bytes> memory, CpuSet cpus, List<Integer> distances) {
    /// Copies the list.
    public NumaNode {
        distances = List.copyOf(distances);
    }
}
