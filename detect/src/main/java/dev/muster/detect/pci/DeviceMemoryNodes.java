// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.pci;

import dev.muster.core.PciAddress;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// NUMA nodes that are memory of a GPU: on machines with a coherent link, such as POWER9 with V100 and Grace Hopper,
/// NVIDIA's driver gives the GPU's memory to the kernel, which then counts it with the host's. Every start comes here:
/// loops, no streams (docs/decisions/0004).
public final class DeviceMemoryNodes {
    private static final String GPUS = "/proc/driver/nvidia/gpus";
    private static final int MAX_FILE = 4096;
    private static final long MAX_NODE = 65_535;

    private DeviceMemoryNodes() {}

    /// The numbers of all such nodes.
    public static List<Long> list(HostFiles files) {
        List<Long> nodes = new ArrayList<>();
        for (String name : files.names(GPUS)) {
            Optional<PciAddress> gpu = PciAddress.find(name);
            Optional<Long> node = gpu.isPresent() ? findNode(files, gpu.get()) : Optional.empty();
            if (node.isPresent() && !nodes.contains(node.get())) {
                nodes.add(node.get());
            }
        }
        return nodes;
    }

    /// The node that a GPU's memory is, where the host uses it so.
    public static Optional<Long> findNode(HostFiles files, PciAddress gpu) {
        Optional<String> status = files.findText(GPUS + "/" + gpu + "/numa_status", MAX_FILE);
        return status.isPresent() ? parse(status.get()) : Optional.empty();
    }

    /// Reads a `numa_status` file: lines such as `Node: 250` and `Status: online`.
    public static Optional<Long> parse(String text) {
        Optional<Long> node = Optional.empty();
        boolean online = false;
        for (String line : text.split("\n")) {
            int colon = line.indexOf(':');
            String value = line.substring(colon + 1).strip();
            switch (line.substring(0, Math.max(0, colon)).strip()) {
                case "Node" -> node = Amount.count(value, MAX_NODE);
                case "Status" -> online = value.equals("online");
                default -> {}
            }
        }
        return online ? node : Optional.empty();
    }
}
