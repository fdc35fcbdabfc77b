// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import dev.muster.core.Gap;
import dev.muster.core.Reading;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.normalise.NumaNode;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.CpuSet;
import dev.muster.detect.text.MeminfoParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Finds the NUMA nodes of a host: two small files for each.
public final class NumaProbe {
    private static final String FOLDER = "/sys/devices/system/node";
    private static final String PREFIX = "node";
    private static final int MAX_NODES = 1024;

    /// The nodes, by number.
    ///
    /// @param gaps told of each file that could not be read
    public List<NumaNode> probe(ProbeContext context, Consumer<Gap> gaps) {
        List<NumaNode> nodes = new ArrayList<>();
        for (String name : context.files().numbered(FOLDER, PREFIX)) {
            Optional<Long> number = Amount.count(name.substring(PREFIX.length()), Integer.MAX_VALUE);
            if (number.isPresent() && nodes.size() < MAX_NODES) {
                nodes.add(read(number.get(), context.folder(FOLDER + "/" + name, gaps)));
            }
        }
        return nodes;
    }

    private static NumaNode read(long number, AttributeFolder folder) {
        return new NumaNode(
                number, folder.reading("meminfo", text -> MeminfoParser.find(text, "MemTotal")), cpus(folder));
    }

    /// Old kernels have only the mask.
    private static CpuSet cpus(AttributeFolder folder) {
        Reading<CpuSet> list = folder.reading("cpulist", CpuSet::parseList);
        Reading<CpuSet> cpus = list.isKnown() ? list : folder.reading("cpumap", CpuSet::parseMask);
        return cpus.find().orElse(CpuSet.NONE);
    }
}
