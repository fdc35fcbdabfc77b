// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bandwidth;

/// A network port or fabric of the host.
///
/// @param kind its kind
/// @param name its name, such as `mlx5_0`
/// @param bandwidth its rate one way; unknown for a port that is down
/// @param state its state in the source's words, such as `4: ACTIVE`
/// @since 0.1
public record Interconnect(InterconnectKind kind, String name, Reading<Bandwidth> bandwidth, Reading<String> state) {

    /// The kind of an interconnect between devices or hosts.
    ///
    /// @since 0.1
    public enum InterconnectKind implements KebabCaseEnum {
        /// InfiniBand.
        INFINIBAND("InfiniBand", "InfiniBand", true),
        /// RDMA over Converged Ethernet, version 1.
        ROCE("RoCE", "RoCE", true),
        /// RDMA over Converged Ethernet, version 2.
        ROCE_V2("RoCEv2", "RoCE v2", true),
        /// NVIDIA NVLink.
        NVLINK("NVLink", "NVLink", true),
        /// NVIDIA NVSwitch.
        NVSWITCH("NVSwitch", "NVSwitch", true),
        /// AMD Infinity Fabric between GPUs.
        XGMI("XgmiInfinityFabric", "XGMI", true),
        /// Google's inter-chip interconnect.
        ICI("Ici", "ICI", true),
        /// PCI Express; flat documents of ai-hwaccel only.
        PCIE("Pcie", "PCIe", false);

        private final String referenceName;
        private final String display;
        private final boolean inReference;

        InterconnectKind(String referenceName, String display, boolean inReference) {
            this.referenceName = referenceName;
            this.display = display;
            this.inReference = inReference;
        }

        /// The name in tagged documents of ai-hwaccel.
        public String referenceName() {
            return referenceName;
        }

        /// The name for people.
        public String display() {
            return display;
        }

        /// Reports whether tagged documents of ai-hwaccel know this kind.
        public boolean isInReference() {
            return inReference;
        }
    }
}
