// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Hertz;
import dev.muster.detect.probe.ProbeContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The topology that the compute driver shows: GPUs that programs can compute on. Confined to one thread.
///
/// `p2p_links` are not read: they repeat over PCI Express what the bus itself tells.
final class KfdTopology {
    static final String NODES = "/sys/class/kfd/kfd/topology/nodes";

    private static final int MAX_NODES = 1024;
    private static final int MAX_FILE = 16 << 10;
    private static final long MOST_MEMORY = 1L << 44;
    private static final long MOST_MEGAHERTZ = 100_000;
    private static final long MOST_BITS = 1 << 16;

    private final ProbeContext context;
    private final List<KfdNode> gpus;

    private KfdTopology(ProbeContext context, List<KfdNode> gpus) {
        this.context = context;
        this.gpus = List.copyOf(gpus);
    }

    static KfdTopology read(ProbeContext context) {
        List<KfdNode> gpus = new ArrayList<>();
        for (String name : context.files().numbered(NODES, "")) {
            if (name.length() <= 4 && gpus.size() < MAX_NODES) {
                KfdNode node = KfdNode.parse(
                        Integer.parseInt(name),
                        context.files().findText(file(name), MAX_FILE).orElse(""));
                if (node.isAmdGpu()) {
                    gpus.add(node);
                }
            }
        }
        return new KfdTopology(context, gpus);
    }

    private static String file(String node) {
        return NODES + "/" + node + "/properties";
    }

    /// Reports whether the driver shows a topology at all.
    boolean isPresent() {
        return context.files().exists(NODES);
    }

    /// The GPUs and partitions of GPUs, by number.
    List<KfdNode> gpus() {
        return gpus;
    }

    /// Returns the source of a node's properties.
    Provenance source(KfdNode node) {
        return context.fromFile(file(Integer.toString(node.number())));
    }

    /// The links that start at a node.
    List<KfdLink> links(KfdNode node) {
        String folder = NODES + "/" + node.number() + "/io_links";
        List<KfdLink> links = new ArrayList<>();
        for (String name : context.files().numbered(folder, "")) {
            if (links.size() < MAX_NODES) {
                KfdLink.parse(context.files()
                                .findText(folder + "/" + name + "/properties", MAX_FILE)
                                .orElse(""))
                        .ifPresent(links::add);
            }
        }
        return links;
    }

    /// The memory that programs can take on a node: the device's own, or for an APU the host's.
    Reading<Bytes> memory(KfdNode node) {
        String folder = NODES + "/" + node.number() + "/mem_banks";
        long sum = 0;
        for (Map<String, Long> bank : banks(folder)) {
            long size = bank.getOrDefault("size_in_bytes", 0L);
            sum += size > 0 && size <= MOST_MEMORY ? size : 0;
        }
        return sum > 0
                ? Reading.known(Bytes.of(sum), context.fromFile(folder))
                : Reading.notSupported(folder + " does not report it");
    }

    /// The memory of all partitions of a package together; unknown where one of them does not tell.
    Reading<Bytes> memory(List<KfdNode> partitions) {
        Reading<Bytes> sum = memory(partitions.getFirst());
        for (KfdNode node : partitions.subList(1, partitions.size())) {
            Reading<Bytes> more = memory(node);
            Bytes before = sum.find().orElse(Bytes.ZERO);
            sum = sum.isKnown() ? more.map(before::plus) : sum;
        }
        return sum;
    }

    /// The fastest clock of a node's memory.
    Reading<Hertz> memoryClock(KfdNode node) {
        String folder = NODES + "/" + node.number() + "/mem_banks";
        for (Map<String, Long> bank : banks(folder)) {
            long megahertz = bank.getOrDefault("mem_clk_max", 0L);
            if (megahertz > 0 && megahertz < MOST_MEGAHERTZ) {
                return Reading.known(Hertz.ofMegahertz(megahertz), context.fromFile(folder));
            }
        }
        return Reading.notProbed();
    }

    /// The peak rate of a node's memory by its clock and width. The kernel counts clocks; how many transfers one holds
    /// follows from the generation: 2 of HBM2, 4 of HBM3, 16 of GDDR6 (JEDEC JESD235, JESD238, JESD250).
    Reading<Bandwidth> memoryBandwidth(KfdNode node) {
        String folder = NODES + "/" + node.number() + "/mem_banks";
        long transfers = transfers(node.findTarget().orElse(""));
        for (Map<String, Long> bank : banks(folder)) {
            long megahertz = bank.getOrDefault("mem_clk_max", 0L);
            long bits = bank.getOrDefault("width", 0L);
            if (transfers > 0 && megahertz > 0 && megahertz < MOST_MEGAHERTZ && bits > 0 && bits <= MOST_BITS) {
                double gigabytes = megahertz * transfers * bits / 8000.0;
                return Reading.known(new Bandwidth(gigabytes), AmdText.derived(context.fromFile(folder)));
            }
        }
        return Reading.notProbed();
    }

    /// 0 for generations that are not known here.
    private static long transfers(String target) {
        if (target.startsWith("gfx906") || target.startsWith("gfx908") || target.startsWith("gfx90a")) {
            return 2;
        }
        if (target.startsWith("gfx94") || target.startsWith("gfx95")) {
            return 4;
        }
        return target.startsWith("gfx10") || target.startsWith("gfx11") || target.startsWith("gfx12") ? 16 : 0;
    }

    private List<Map<String, Long>> banks(String folder) {
        List<Map<String, Long>> banks = new ArrayList<>();
        for (String name : context.files().numbered(folder, "")) {
            if (banks.size() < MAX_NODES) {
                banks.add(KfdNode.properties(context.files()
                        .findText(folder + "/" + name + "/properties", MAX_FILE)
                        .orElse("")));
            }
        }
        return banks;
    }
}
