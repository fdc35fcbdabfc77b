// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

/// The kind of connection that a link is.
///
/// @since 0.1
public enum LinkKind implements KebabCaseEnum {
    /// Inside one machine or chip: processor to its memory, host to its parts.
    INTERNAL(false),
    /// Between the sockets of a host.
    SOCKET(false),
    /// PCI Express.
    PCIE(false),
    /// NVIDIA NVLink.
    NVLINK(true),
    /// NVIDIA NVLink between processor and GPU of one package.
    NVLINK_C2C(true),
    /// AMD Infinity Fabric between GPUs.
    XGMI(true),
    /// Intel Xe Link.
    XE_LINK(true),
    /// Google's inter-chip interconnect.
    ICI(true),
    /// AWS NeuronLink.
    NEURON_LINK(true),
    /// Ethernet ports of an accelerator, joined directly, as Gaudi's are.
    ACCELERATOR_ETHERNET(true),
    /// InfiniBand.
    INFINIBAND(false),
    /// RDMA over Converged Ethernet.
    ROCE(false),
    /// Ethernet.
    ETHERNET(false);

    private final boolean deviceFabric;

    LinkKind(boolean deviceFabric) {
        this.deviceFabric = deviceFabric;
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
