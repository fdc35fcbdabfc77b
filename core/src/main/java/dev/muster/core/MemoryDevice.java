// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bytes;

/// Memory of the host beyond what its sockets have. Immutable.
///
/// What the system was given of it counts in the host's memory too: a DAX device whose driver is `kmem`, most CXL
/// memory. Sums over both would count it twice.
///
/// @param kind its kind
/// @param name its name, such as `mem0`, `dax0.0` or, for a cache, `node0/index1`
/// @param size its capacity
/// @param numaNode the NUMA node that it makes up, is next to, or stands before; the source says which
/// @param kernelDriver the kernel's driver, such as `kmem` or `device_dax`
/// @since 0.1
public record MemoryDevice(
        MemoryKind kind, String name, Reading<Bytes> size, Reading<Long> numaNode, Reading<String> kernelDriver) {
    /// The kind of memory that stands beside the memory of the sockets.
    ///
    /// @since 0.1
    public enum MemoryKind implements KebabCaseEnum {
        /// Memory of a CXL device.
        CXL("CXL"),
        /// The part of a CXL device's memory that keeps its content without power.
        CXL_PERSISTENT("persistent CXL"),
        /// A range of memory that programs map directly: persistent memory, or memory set apart for them.
        DAX("DAX"),
        /// A cache before the memory of a NUMA node, such as fast memory before slow.
        MEMORY_SIDE_CACHE("memory-side cache");

        private final String display;

        MemoryKind(String display) {
            this.display = display;
        }

        /// The name for people.
        public String display() {
            return display;
        }
    }
}
