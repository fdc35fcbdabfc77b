// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

/// The kind of connection that a link is.
///
/// @since 0.1
public enum LinkKind implements KebabCaseEnum {
    /// Inside one machine or chip: processor to its memory, host to its parts.
    INTERNAL(false, "INTERNAL"),
    /// Between the sockets of a host.
    SOCKET(false, "SOCKET"),
    /// PCI Express.
    PCIE(false, "PCIE"),
    /// NVIDIA NVLink.
    NVLINK(true, "NV"),
    /// NVIDIA NVLink between processor and GPU of one package.
    NVLINK_C2C(true, "C2C"),
    /// AMD Infinity Fabric between GPUs.
    XGMI(true, "XGMI"),
    /// Intel Xe Link.
    XE_LINK(true, "XL"),
    /// Google's inter-chip interconnect.
    ICI(true, "ICI"),
    /// AWS NeuronLink.
    NEURON_LINK(true, "NL"),
    /// Ethernet ports of an accelerator, joined directly, as Gaudi's are.
    ACCELERATOR_ETHERNET(true, "ETH"),
    /// InfiniBand.
    INFINIBAND(false, "INFINIBAND"),
    /// RDMA over Converged Ethernet.
    ROCE(false, "ROCE"),
    /// Ethernet.
    ETHERNET(false, "ETHERNET");

    private final boolean deviceFabric;
    private final String word;

    LinkKind(boolean deviceFabric, String word) {
        this.deviceFabric = deviceFabric;
        this.word = word;
    }

    /// Returns the word in a matrix of relations, before the number of links: `NV`, `XGMI`, `XL`.
    public String word() {
        return word;
    }

    /// Reports whether the link joins devices directly, past the host.
    public boolean isDeviceFabric() {
        return deviceFabric;
    }

    /// Reports whether the link joins hosts.
    public boolean isNetwork() {
        return this == INFINIBAND || this == ROCE || this == ETHERNET;
    }
}
