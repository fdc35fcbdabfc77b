// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Programs that use a device, in the order of the source.
///
/// @param processes the programs
/// @since 0.1
public record ProcessList(List<DeviceProcess> processes) {
    /// Copies the list.
    public ProcessList {
        processes = List.copyOf(processes);
    }

    @Override
    public String toString() {
        return processes.stream().map(DeviceProcess::toString).collect(Collectors.joining(", "));
    }

    /// A program that uses a device.
    ///
    /// @param pid its process id, as the driver counts
    /// @param name its name; null where the source does not tell
    /// @param memory the device memory it holds; null where the source does not tell
    /// @param load the share of the device's time in which it computes there; null where the source does not tell
    /// @since 0.1
    public record DeviceProcess(
            long pid,
            @Nullable String name,
            @Nullable Bytes memory,
            @Nullable Ratio load) {
        /// A program of which the source does not tell how much of the device it uses.
        public DeviceProcess(long pid, @Nullable String name, @Nullable Bytes memory) {
            this(pid, name, memory, null);
        }

        /// Its name, if the source tells.
        public Optional<String> findName() {
            return Optional.ofNullable(name);
        }

        /// The share of the device's time in which it computes there, if the source tells.
        public Optional<Ratio> findLoad() {
            return Optional.ofNullable(load);
        }

        /// The device memory it holds, if the source tells.
        public Optional<Bytes> findMemory() {
            return Optional.ofNullable(memory);
        }

        @Override
        public String toString() {
            return pid + findName().map(text -> " " + text).orElse("");
        }
    }
}
