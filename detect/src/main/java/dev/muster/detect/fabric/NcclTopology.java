package dev.muster.detect.fabric;

import dev.muster.core.PciAddress;
import java.util.List;
import java.util.Optional;

/// A topology as NCCL and RCCL write and read it.
///
/// @param functions every PCI function in it, those behind a bridge before the bridge
/// @param ports every network port in it
record NcclTopology(List<Function> functions, List<Port> ports) {
    static final NcclTopology EMPTY = new NcclTopology(List.of(), List.of());

    NcclTopology {
        functions = List.copyOf(functions);
        ports = List.copyOf(ports);
    }

    /// The function at an address.
    Optional<Function> find(PciAddress address) {
        for (Function function : functions) {
            if (function.address().equals(address)) {
                return Optional.of(function);
            }
        }
        return Optional.empty();
    }

    /// A function on the PCI bus.
    ///
    /// @param address where it sits; bridges of domain ffff are made up
    /// @param numa the NUMA node above it; -1 where the file does not say
    /// @param above the bridges above it, the host's first
    /// @param classCode what it is for, such as 0x030200; -1 where the file does not say
    /// @param linkSpeed the rate of a lane in the file's words; often blank
    /// @param linkWidth the number of lanes; 0 where the file does not say
    /// @param architecture a GPU's abilities in the file's words, such as `80` or `gfx942`; blank for others
    /// @param links the fabric links of a GPU
    record Function(
            PciAddress address,
            long numa,
            List<PciAddress> above,
            int classCode,
            String linkSpeed,
            long linkWidth,
            String architecture,
            List<FabricLink> links) {
        Function {
            above = List.copyOf(above);
            links = List.copyOf(links);
        }
    }

    /// Parallel links of a GPU to one other end; to itself where a switch is meant.
    ///
    /// @param xgmi whether it is AMD's fabric
    record FabricLink(boolean xgmi, PciAddress target, int count) {}

    /// A network port.
    ///
    /// @param name such as `mlx5_0`
    /// @param megabits its rate in Mbit/s
    record Port(String name, long megabits) {}
}
