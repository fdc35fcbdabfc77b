package dev.muster.core;

import dev.muster.core.unit.Bytes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A program that uses a device.
///
/// @param pid its process id, as the driver counts
/// @param name its name; null where the source does not tell
/// @param memory the device memory it holds; null where the source does not tell
/// @since 0.1
public record DeviceProcess(
        long pid, @Nullable String name, @Nullable Bytes memory) {
    /// Its name, if the source tells.
    public Optional<String> findName() {
        return Optional.ofNullable(name);
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
