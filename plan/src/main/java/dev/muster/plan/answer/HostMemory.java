// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.answer;

/// The memory of a host, for layers and experts that no device holds.
///
/// @param bytes what programs may take of it
/// @param bytesPerSecond how fast it is read
/// @param basis where that rate comes from, for people
/// @since 0.1
public record HostMemory(double bytes, double bytesPerSecond, String basis) {
    /// No memory of the host is to be used.
    public static final HostMemory NONE = new HostMemory(0, 1, "the host holds nothing");

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if bytes are negative or the rate is not positive
    public HostMemory {
        if (!(bytes >= 0 && bytesPerSecond > 0)) {
            throw new IllegalArgumentException("a host has memory, and a rate to read it at");
        }
    }

    /// Whether anything may lie there.
    public boolean isUsed() {
        return bytes > 0;
    }
}
