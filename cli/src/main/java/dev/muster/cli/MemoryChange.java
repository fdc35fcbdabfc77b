package dev.muster.cli;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceId;
import dev.muster.core.FixedText;
import dev.muster.core.unit.Bytes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// How the free memory of devices changed from one registry to the next. Devices are told apart by their id, never by
/// their place in a table, which filters and sorting change.
///
/// @param before free memory in the registry before
record MemoryChange(Map<DeviceId, Bytes> before) {
    /// Smaller changes would be shown as 0.0.
    private static final double LEAST_GIB = 0.05;

    private static final double BYTES_PER_GIB = 1L << 30;

    static MemoryChange since(AcceleratorRegistry registry) {
        Map<DeviceId, Bytes> free = new HashMap<>();
        for (AcceleratorProfile device : registry.profiles()) {
            device.memoryFree().find().ifPresent(bytes -> free.put(device.id(), bytes));
        }
        return new MemoryChange(free);
    }

    /// The change for people, such as `-12.0 GiB`; nothing where there was none to speak of.
    Optional<?> of(AcceleratorProfile device) {
        Optional<Bytes> then = Optional.ofNullable(before.get(device.id()));
        Optional<Bytes> now = device.memoryFree().find();
        if (then.isEmpty() || now.isEmpty()) {
            return Optional.empty();
        }
        double change = (now.get().toDouble() - then.get().toDouble()) / BYTES_PER_GIB;
        return Math.abs(change) < LEAST_GIB
                ? Optional.empty()
                : Optional.of((change > 0 ? "+" : "") + FixedText.of(change, 1) + " GiB");
    }
}
