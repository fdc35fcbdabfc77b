// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/// The devices of a node in its own words: the resources for pods, and labels about them. Equal for nodes with equal
/// devices, so that thousands of them share one list.
///
/// @param capacity devices by resource, the sick ones too
/// @param allocatable devices by resource that pods can get
/// @param labels labels about devices
record NodeOffer(Map<String, Long> capacity, Map<String, Long> allocatable, Map<String, String> labels) {
    NodeOffer {
        capacity = Map.copyOf(capacity);
        allocatable = Map.copyOf(allocatable);
        labels = Map.copyOf(labels);
    }

    /// The number of devices behind the names of a resource; names that count the same devices are not added up.
    long capacity(DeviceResource resource) {
        return resource.names().stream()
                .mapToLong(name -> capacity.getOrDefault(name, 0L))
                .max()
                .orElse(0);
    }

    /// The number of them that pods can get.
    long allocatable(DeviceResource resource) {
        return resource.names().stream()
                .mapToLong(name -> allocatable.getOrDefault(name, 0L))
                .max()
                .orElse(0);
    }

    /// Reports whether the node knows the resource, be it with a count of 0.
    boolean has(DeviceResource resource) {
        return resource.names().stream().anyMatch(capacity::containsKey);
    }

    /// MIG devices by shape, without shapes of which there is none; the sick ones too.
    Map<String, Long> migDevices() {
        Map<String, Long> shapes = new TreeMap<>();
        capacity.forEach((name, count) -> {
            if (count > 0 && DeviceResource.find(name).equals(java.util.Optional.of(DeviceResource.NVIDIA_MIG))) {
                shapes.merge(DeviceResource.migShape(name), count, Math::max);
            }
        });
        return shapes;
    }

    /// A label; blank where there is none.
    String label(String key) {
        return labels.getOrDefault(key, "");
    }

    /// A label that is a whole number from 0.
    OptionalLong number(String key) {
        return wholeNumber(label(key));
    }

    /// The whole number that a text is; nothing for other texts and past 10^15.
    static OptionalLong wholeNumber(String text) {
        boolean digits = !text.isEmpty() && text.length() <= 15 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }
}
