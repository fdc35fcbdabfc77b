package dev.muster.core;

/// The kind of memory that stands beside the memory of the sockets.
///
/// @since 0.1
public enum MemoryDeviceKind {
    /// Memory of a CXL device.
    CXL("CXL"),
    /// The part of a CXL device's memory that keeps its content without power.
    CXL_PERSISTENT("persistent CXL"),
    /// A range of memory that programs map directly: persistent memory, or memory set apart for them.
    DAX("DAX"),
    /// A cache before the memory of a NUMA node, such as fast memory before slow.
    MEMORY_SIDE_CACHE("memory-side cache");

    private final String display;

    MemoryDeviceKind(String display) {
        this.display = display;
    }

    /// The name for people.
    public String display() {
        return display;
    }
}
