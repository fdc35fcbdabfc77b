// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import dev.muster.core.PciAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The content of a topology file of NCCL or RCCL.
///
/// @param functions functions on the PCI bus by address
/// @param gpus GPUs in the order of the file
/// @param cards network cards in the order of the file
/// @param architecture the processor's, such as `x86_64`; blank where the file does not say
record NcclTopology(
        Map<PciAddress, NcclTopologyParser.Function> functions, List<Gpu> gpus, List<Card> cards, String architecture) {
    static final NcclTopology NONE = new NcclTopology(Map.of(), List.of(), List.of(), "");

    NcclTopology {
        functions = new LinkedHashMap<>(functions);
        gpus = List.copyOf(gpus);
        cards = List.copyOf(cards);
    }

    /// A GPU.
    ///
    /// @param attributes attributes of its function and its own by name
    /// @param wires its links
    record Gpu(PciAddress address, Map<String, String> attributes, List<Wire> wires) {
        Gpu {
            attributes = Map.copyOf(attributes);
            wires = List.copyOf(wires);
        }

        String attribute(String name) {
            return attributes.getOrDefault(name, "");
        }

        /// Reports whether a link ends at a switch; files of virtual machines name the GPU itself in its place.
        boolean isSwitched(Wire wire) {
            return !wire.xgmi() && (wire.toSwitch() || wire.target().equals(address));
        }
    }

    /// The links of a GPU to one other end.
    ///
    /// @param xgmi true for XGMI, false for NVLink
    /// @param toSwitch true if the file says that the other end is a bridge
    record Wire(boolean xgmi, PciAddress target, int lanes, boolean toSwitch) {}

    /// A port of a network card.
    ///
    /// @param speed megabits a second
    /// @param function the function above it; empty for cards that are on no bus
    /// @param numa the NUMA node above it; -1 where the file does not say
    /// @param classCode the class of the function, such as `0x020700`; blank where the file does not say
    record Card(String name, String speed, Optional<PciAddress> function, long numa, String classCode) {
        /// Reports whether NCCL reaches it by RDMA: sockets have names of interfaces, such as `eth0`.
        boolean isRdma() {
            return classCode.startsWith("0x0207")
                    || name.contains("_")
                    || name.startsWith("rdmap")
                    || name.startsWith("irdma");
        }

        boolean isEthernet() {
            return classCode.startsWith("0x0200") && !name.startsWith("rdmap");
        }
    }
}
