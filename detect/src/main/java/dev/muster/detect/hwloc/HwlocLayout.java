// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import dev.muster.core.Reading;
import dev.muster.detect.normalise.NumaNode;
import dev.muster.detect.normalise.PciPlace;
import dev.muster.detect.text.CpuSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The places of devices in the host that a file describes.
///
/// @param numa the NUMA nodes, by number
record HwlocLayout(List<NumaNode> numa) {
    HwlocLayout {
        numa = List.copyOf(numa);
    }

    /// @throws HwlocFormatException if a node has no number
    static HwlocLayout of(List<HwlocObject> nodes) {
        Map<Long, HwlocObject> byNumber = new TreeMap<>();
        for (HwlocObject node : nodes) {
            long number = node.findCount("os_index")
                    .filter(index -> index <= Integer.MAX_VALUE)
                    .orElseThrow(() -> new HwlocFormatException("a NUMA node has no number"));
            if (byNumber.put(number, node) != null) {
                throw new HwlocFormatException("two NUMA nodes have the number " + number);
            }
        }
        List<NumaNode> numa = new ArrayList<>();
        byNumber.forEach((number, node) -> numa.add(new NumaNode(
                number,
                HwlocFacts.reading(HwlocProcessor.findMemory(node), "the node's memory"),
                ownCpus(HwlocObject.parseCpus(node.attribute("cpuset")), numa))));
        return new HwlocLayout(numa);
    }

    /// hwloc gives memory without processors those next to it: they are another node's, which comes first.
    private static CpuSet ownCpus(CpuSet cpus, List<NumaNode> before) {
        return before.stream().anyMatch(node -> node.cpus().equals(cpus)) ? CpuSet.NONE : cpus;
    }

    /// The place of a function.
    PciPlace place(HwlocFunction function) {
        return PciPlace.of(numaNode(function.cpus()), function.path());
    }

    /// The one node that has all of the processors next to something.
    Reading<Long> numaNode(CpuSet near) {
        List<NumaNode> holders =
                numa.stream().filter(node -> near.isPartOf(node.cpus())).toList();
        return holders.size() == 1
                ? Reading.known(holders.getFirst().number(), HwlocFacts.SOURCE)
                : HwlocFacts.missing("the hwloc file does not place it next to one NUMA node");
    }
}
