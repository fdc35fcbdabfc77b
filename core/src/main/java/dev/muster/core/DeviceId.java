// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import org.jspecify.annotations.Nullable;

/// The name of a device within one registry: kind and number, such as `cuda:1`. A partition carries its own id
/// behind its parent's: `cuda:1/MIG-4a3e…`.
///
/// @param text the id as text; not blank
/// @since 0.1
public record DeviceId(String text) implements Comparable<DeviceId> {
    /// Checks that the text is not blank.
    public DeviceId {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a device id is not blank");
        }
    }

    static DeviceId of(AcceleratorType type, @Nullable Partition partition) {
        String own = type.text() + ":" + type.deviceId();
        return new DeviceId(partition == null ? own : partition.parent().text() + "/" + partition.id());
    }

    @Override
    public int compareTo(DeviceId other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
