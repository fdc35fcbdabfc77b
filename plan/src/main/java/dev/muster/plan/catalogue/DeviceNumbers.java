package dev.muster.plan.catalogue;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Gives devices the lowest numbers of their kind that are free. Confined to one thread.
final class DeviceNumbers {
    private final Map<String, Set<Long>> taken = new HashMap<>();
    private final Map<String, Long> next = new HashMap<>();

    DeviceNumbers(List<AcceleratorProfile> others) {
        for (AcceleratorProfile other : others) {
            taken(other.accelerator()).add(other.accelerator().deviceId());
        }
    }

    /// A device of the catalogue with a number that no other has. It stands alone: no fabric joins it.
    AcceleratorProfile number(DeviceCount item) {
        AcceleratorType type = DeviceKinds.findType(item.entry(), 0).orElseThrow();
        Set<Long> used = taken(type);
        long number = next.getOrDefault(type.text(), 0L);
        while (!used.add(number)) {
            number++;
        }
        next.put(type.text(), number + 1);
        return item.toProfile(number);
    }

    private Set<Long> taken(AcceleratorType type) {
        return taken.computeIfAbsent(type.text(), _ -> new HashSet<>());
    }
}
