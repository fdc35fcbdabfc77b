package dev.muster.core;

import dev.muster.core.unit.Bytes;

/// Memory of the host beyond what its sockets have. Immutable.
///
/// What the system was given of it counts in the host's memory too: a DAX device whose driver is `kmem`, most CXL
/// memory. Sums over both would count it twice.
///
/// @param kind its kind
/// @param name its name, such as `mem0`, `dax0.0` or, for a cache, `node0/index1`
/// @param size what it holds
/// @param numaNode the NUMA node that it makes up, is next to, or stands before; the source says which
/// @param kernelDriver the kernel's driver, such as `kmem` or `device_dax`
/// @since 0.1
public record MemoryDevice(
        MemoryDeviceKind kind,
        String name,
        Reading<Bytes> size,
        Reading<Long> numaNode,
        Reading<String> kernelDriver) {}
