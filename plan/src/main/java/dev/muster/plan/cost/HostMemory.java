// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// The memory of a host, for layers and experts that no device holds.
///
/// @param bytes bytes for programs
/// @param bytesPerSecond rate of reads
/// @param basis source of that rate, as text
/// @since 0.1
public record HostMemory(double bytes, double bytesPerSecond, String basis) {
    /// An unused host memory.
    public static final HostMemory NONE = new HostMemory(0, 1, "the host holds nothing");

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if bytes are negative or the rate is not positive
    public HostMemory {
        if (!(bytes >= 0 && bytesPerSecond > 0)) {
            throw new IllegalArgumentException("a host has memory, and a rate to read it at");
        }
    }

    /// Reports whether anything may be placed there.
    public boolean isUsed() {
        return bytes > 0;
    }
}
