// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import java.util.Locale;

/// Something that hosts share, and that makes them near to each other. Immutable.
///
/// @param kind the kind of shared part
/// @param name its name
/// @since 0.2
public record Domain(DomainKind kind, String name) {
    /// Parts that hosts can share, the nearest first.
    ///
    /// @since 0.2
    public enum DomainKind {
        /// Devices of several hosts on one NVLink fabric.
        NVLINK,
        /// A block of Slurm's topology.
        BLOCK,
        /// A leaf switch.
        LEAF,
        /// A switch above leaves.
        SPINE,
        /// A rack.
        RACK,
        /// A zone of a cloud or a data centre.
        ZONE;

        /// The kind as documents write it.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
