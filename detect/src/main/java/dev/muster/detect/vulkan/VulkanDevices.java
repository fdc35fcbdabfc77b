// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vulkan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Makes a list of GPUs of what Vulkan lists: without the processor that plays a GPU, and each GPU once even where two
/// drivers are installed for it.
final class VulkanDevices {
    private VulkanDevices() {}

    /// The GPUs, completed by a second description of them.
    ///
    /// @param summary the devices in the tool's order
    /// @param full the same devices with heaps; perhaps none, perhaps others
    static List<VulkanDevice> merge(List<VulkanDevice> summary, List<VulkanDevice> full) {
        List<VulkanDevice> rest = new ArrayList<>(full);
        List<VulkanDevice> gpus = new ArrayList<>();
        for (VulkanDevice device : summary) {
            Optional<VulkanDevice> same =
                    rest.stream().filter(device::agreesWith).findFirst();
            same.ifPresent(rest::remove);
            VulkanDevice whole = same.map(device::with).orElse(device);
            if (!whole.isSoftware()) {
                gpus.add(whole);
            }
        }
        return once(gpus);
    }

    /// One driver lists a GPU once; of several drivers for GPUs of one id, the one that lists most of them is believed.
    private static List<VulkanDevice> once(List<VulkanDevice> gpus) {
        Map<String, Map<String, Integer>> counts = new HashMap<>();
        for (VulkanDevice gpu : gpus) {
            counts.computeIfAbsent(modelOf(gpu), model -> new HashMap<>()).merge(driverOf(gpu), 1, Integer::sum);
        }
        Map<String, String> believed = new HashMap<>();
        for (VulkanDevice gpu : gpus) {
            Map<String, Integer> drivers = counts.getOrDefault(modelOf(gpu), Map.of());
            believed.merge(
                    modelOf(gpu),
                    driverOf(gpu),
                    (first, second) ->
                            drivers.getOrDefault(second, 0) > drivers.getOrDefault(first, 0) ? second : first);
        }
        Set<String> places = new LinkedHashSet<>();
        List<VulkanDevice> kept = new ArrayList<>();
        for (VulkanDevice gpu : gpus) {
            boolean believable = driverOf(gpu).equals(believed.get(modelOf(gpu)));
            if (believable && places.add(placeOf(gpu, kept.size()))) {
                kept.add(gpu);
            }
        }
        return List.copyOf(kept);
    }

    private static String modelOf(VulkanDevice gpu) {
        return gpu.findPciId().or(gpu::findName).orElse("");
    }

    private static String driverOf(VulkanDevice gpu) {
        return gpu.find("driverID").or(() -> gpu.find("driverName")).orElse("");
    }

    private static String placeOf(VulkanDevice gpu, int position) {
        return gpu.findAddress()
                .map(Object::toString)
                .or(() -> gpu.find("deviceUUID"))
                .orElseGet(() -> "#" + position);
    }
}
