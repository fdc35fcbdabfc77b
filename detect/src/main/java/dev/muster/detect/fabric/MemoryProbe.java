// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import dev.muster.core.Gap;
import dev.muster.core.MemoryDevice;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.normalise.NumaNode;
import dev.muster.detect.probe.ProbeContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Finds memory beyond what the sockets have: CXL and DAX devices, and caches before the memory of NUMA nodes. A
/// machine without them pays for one listing of a folder each that is not there. Confined to one thread.
public final class MemoryProbe {
    private static final String CXL = "/sys/bus/cxl/devices";
    private static final String DAX = "/sys/bus/dax/devices";
    private static final String NODE = "/sys/devices/system/node/node";
    private static final String CACHES = "memory_side_cache";
    /// More than any machine has; folders are bounded, but a bundle may hold anything.
    private static final int MAX_DEVICES = 1024;

    private static final int HEXADECIMAL = 16;

    private final ProbeContext context;
    private final Consumer<Gap> gaps;
    private final List<MemoryDevice> found = new ArrayList<>();

    /// Makes it.
    ///
    /// @param gaps told of each file that could not be read
    public MemoryProbe(ProbeContext context, Consumer<Gap> gaps) {
        this.context = context;
        this.gaps = gaps;
    }

    /// Asks the host.
    ///
    /// @param nodes its NUMA nodes, which were listed before
    public List<MemoryDevice> probe(List<NumaNode> nodes) {
        for (String name : context.files().numbered(CXL, "mem")) {
            addCxl(name, context.folder(CXL + "/" + name, gaps));
        }
        for (String name : context.files().names(DAX)) {
            if (name.startsWith("dax")) {
                addDax(name, context.folder(DAX + "/" + name, gaps));
            }
        }
        for (NumaNode node : nodes) {
            addCaches(node.number(), context.folder(NODE + node.number() + "/" + CACHES, gaps));
        }
        return found;
    }

    /// A device says for each of two parts how large it is; one that it does not have is 0 bytes.
    private void addCxl(String name, AttributeFolder folder) {
        Reading<Bytes> ordinary = folder.reading("ram/size", MemoryProbe::parseHexadecimal);
        Reading<Bytes> persistent = folder.reading("pmem/size", MemoryProbe::parseHexadecimal);
        Reading<Long> node = folder.node("numa_node");
        Reading<String> driver = driver(folder);
        boolean isPersistent = persistent.matches(size -> !size.isZero());
        boolean isOrdinary = ordinary.find().filter(Bytes::isZero).isEmpty();
        if (isOrdinary || !isPersistent) {
            add(new MemoryDevice(MemoryDevice.MemoryKind.CXL, name, ordinary, node, driver));
        }
        if (isPersistent) {
            add(new MemoryDevice(MemoryDevice.MemoryKind.CXL_PERSISTENT, name, persistent, node, driver));
        }
    }

    /// The node that the memory makes up once the system gets it matters more than the one next to it.
    private void addDax(String name, AttributeFolder folder) {
        Reading<Long> target = folder.node("target_node");
        Reading<Long> node = target.isKnown() ? target : folder.node("numa_node");
        add(new MemoryDevice(MemoryDevice.MemoryKind.DAX, name, folder.bytes("size"), node, driver(folder)));
    }

    private void addCaches(long node, AttributeFolder folder) {
        for (String index : context.files().numbered(folder.path(), "index")) {
            String file = index + "/size";
            add(new MemoryDevice(
                    MemoryDevice.MemoryKind.MEMORY_SIDE_CACHE,
                    "node" + node + "/" + index,
                    folder.bytes(file),
                    Reading.known(node, folder.source(file)),
                    Reading.notProbed()));
        }
    }

    private void add(MemoryDevice device) {
        if (found.size() < MAX_DEVICES) {
            found.add(device);
        }
    }

    private Reading<String> driver(AttributeFolder folder) {
        String link = folder.path() + "/driver";
        Optional<String> name = context.files().findLinkName(link);
        return name.isPresent()
                ? Reading.known(name.get(), folder.source("driver"))
                : Reading.notSupported(link + " does not exist");
    }

    /// Reads a size such as `0x4000000000`.
    static Optional<Bytes> parseHexadecimal(String text) {
        if (!text.startsWith("0x") || text.startsWith("-", 2) || text.startsWith("+", 2)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Bytes(Long.parseUnsignedLong(text.substring(2), HEXADECIMAL)));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
