package dev.muster.detect.aws;

import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import java.util.List;

/// What `neuron-ls` printed.
///
/// @param model what names the chip: the instance type, or the model; blank where nothing does
/// @param coreConfig how many physical cores make one that programs see; blank where it is not said
/// @param devices the devices in the tool's order
record NeuronListing(String model, String coreConfig, List<Device> devices) {
    NeuronListing {
        devices = List.copyOf(devices);
    }

    /// One device.
    ///
    /// @param number its number, as in `/dev/neuron0`
    /// @param cores the cores that programs see
    /// @param memory its memory
    /// @param address where it sits on the PCI bus
    /// @param numaNode the NUMA node next to it
    /// @param neighbours the numbers of the devices that NeuronLink joins it to
    /// @param model what names its chip; blank where nothing does
    record Device(
            long number,
            long cores,
            Reading<Bytes> memory,
            Reading<PciAddress> address,
            Reading<Long> numaNode,
            List<Long> neighbours,
            String model) {
        Device {
            neighbours = List.copyOf(neighbours);
        }
    }
}
