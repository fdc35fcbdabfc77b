package dev.muster.plan.memory;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Devices of one kind that share a model equally, and what they offer together: so many times what the smallest of
/// them has, without what engines and drivers keep.
///
/// @param devices the devices, the largest first
/// @param room what they offer together
record DeviceRoom(List<AcceleratorProfile> devices, Bytes room) {
    /// The rooms of a registry's accelerators, the largest first; the CPU's only where there is nothing else.
    static List<DeviceRoom> listAll(AcceleratorRegistry registry) {
        Map<AcceleratorKind, List<AcceleratorProfile>> byKind = new LinkedHashMap<>();
        Map<AcceleratorKind, List<AcceleratorProfile>> processors = new LinkedHashMap<>();
        for (AcceleratorProfile device : registry.available()) {
            // A partition shares the memory of its parent, which is counted.
            if (device.memory().isKnown() && device.partition().isEmpty()) {
                boolean cpu = device.accelerator().kind().family() == AcceleratorFamily.CPU;
                (cpu ? processors : byKind)
                        .computeIfAbsent(device.accelerator().kind(), _ -> new ArrayList<>())
                        .add(device);
            }
        }
        return (byKind.isEmpty() ? processors : byKind)
                .values().stream()
                        .map(DeviceRoom::largest)
                        .sorted(Comparator.comparing(DeviceRoom::room).reversed())
                        .toList();
    }

    /// Few large devices may offer more than all together, where small ones set the measure.
    private static DeviceRoom largest(List<AcceleratorProfile> kind) {
        List<AcceleratorProfile> sorted = new ArrayList<>(kind);
        sorted.sort(Comparator.comparing(DeviceRoom::memory).reversed());
        DeviceRoom best = new DeviceRoom(List.of(sorted.getFirst()), offer(sorted.getFirst()));
        for (int count = 2; count <= sorted.size(); count++) {
            Bytes room = offer(sorted.get(count - 1)).saturatingTimes(count);
            if (room.compareTo(best.room) > 0) {
                best = new DeviceRoom(List.copyOf(sorted.subList(0, count)), room);
            }
        }
        return best;
    }

    private static Bytes memory(AcceleratorProfile device) {
        return device.memory().find().orElse(Bytes.ZERO);
    }

    private static Bytes offer(AcceleratorProfile device) {
        Bytes used = Bytes.of((long) (memory(device).toDouble() * ModelFit.USED_SHARE));
        return used.compareTo(ModelFit.RESERVE) > 0 ? used.minus(ModelFit.RESERVE) : Bytes.ZERO;
    }
}
