package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import java.util.ArrayList;
import java.util.List;

/// Decides whether GPUs are joined to each other or to a switch. The matrix shows the same number for every pair in
/// both cases. Through a switch each GPU reaches each other one with all of its links; without, its links are divided
/// among the others.
///
/// @param topology the matrix
/// @param gpus the GPUs
record NvidiaFabricShape(NvidiaTopology topology, List<AcceleratorProfile> gpus) {
    /// The most NVLinks that a GPU has: `NVML_NVLINK_MAX_LINKS` of nvml.h, driver 580, 2025.
    private static final int MOST_LINKS = 18;

    /// A switch is not worth concluding below this number of GPUs: a bridge joins two.
    private static final int LEAST_GPUS = 3;

    /// Adds links, and the switch if there is one.
    void add(NvidiaFabric fabric) {
        List<AcceleratorProfile> joined = gpus.stream().filter(this::hasPeer).toList();
        int lanes = commonLanes(joined);
        if (lanes > 0 && isSwitched(joined, lanes)) {
            fabric.addSwitch(joined, lanes);
            return;
        }
        for (int i = 0; i < joined.size(); i++) {
            for (int j = i + 1; j < joined.size(); j++) {
                int between = lanes(joined.get(i), joined.get(j));
                if (between > 0) {
                    fabric.addLink(joined.get(i), joined.get(j), between);
                }
            }
        }
    }

    private boolean hasPeer(AcceleratorProfile gpu) {
        return gpus.stream().anyMatch(other -> !other.id().equals(gpu.id()) && lanes(gpu, other) > 0);
    }

    private int lanes(AcceleratorProfile one, AcceleratorProfile other) {
        return topology.lanes(one.accelerator().deviceId(), other.accelerator().deviceId());
    }

    /// The number of links that every pair shows; 0 where pairs differ.
    private int commonLanes(List<AcceleratorProfile> joined) {
        List<Integer> seen = new ArrayList<>();
        for (AcceleratorProfile one : joined) {
            for (AcceleratorProfile other : joined) {
                if (!one.id().equals(other.id())) {
                    seen.add(lanes(one, other));
                }
            }
        }
        return !seen.isEmpty() && seen.stream().allMatch(seen.getFirst()::equals) ? seen.getFirst() : 0;
    }

    private boolean isSwitched(List<AcceleratorProfile> joined, int lanes) {
        boolean fabricIsUp = joined.stream()
                .allMatch(gpu -> gpu.reading(DeviceFact.FABRIC_STATE)
                        .find()
                        .filter(state -> state.startsWith("completed"))
                        .isPresent());
        long needed = (long) lanes * (joined.size() - 1);
        return fabricIsUp || (joined.size() >= LEAST_GPUS && needed > linksOf(joined.getFirst()));
    }

    private static long linksOf(AcceleratorProfile gpu) {
        return gpu.reading(DeviceFact.FABRIC_LINKS).find().orElse((long) MOST_LINKS);
    }
}
