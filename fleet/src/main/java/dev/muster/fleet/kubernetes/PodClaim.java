// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static dev.muster.fleet.json.JsonFields.items;
import static dev.muster.fleet.json.JsonFields.members;
import static dev.muster.fleet.json.JsonFields.plain;
import static dev.muster.fleet.json.JsonFields.text;

import dev.muster.core.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Devices that a pod holds of its node, by resources.
///
/// @param pod namespace and name
/// @param node the node it was bound to
/// @param counts the number of devices by resource
record PodClaim(String pod, String node, Map<DeviceResource, Long> counts) {
    PodClaim {
        counts = Map.copyOf(counts);
    }

    /// Parts of the text of a pod that asks for devices. Most pods ask for none, and are read no further.
    private static final List<byte[]> MARKS = List.of(
            bytes("nvidia.com/"),
            bytes("amd.com/gpu"),
            bytes("google.com/tpu"),
            bytes("aws.amazon.com/neuron"),
            bytes("habana.ai/gaudi"),
            bytes("gpu.intel.com/"));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// Reports whether a pod's text can be of one that asks for devices.
    static boolean isWorthReading(byte[] pod) {
        for (int i = 0; i < pod.length; i++) {
            // Every mark but one has its slash behind "com"; a look at each slash is enough, and slashes are rare.
            if (pod[i] == '/' && isMarked(pod, i)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isMarked(byte[] pod, int slash) {
        for (byte[] mark : MARKS) {
            int at = 0;
            while (mark[at] != '/') {
                at++;
            }
            int start = slash - at;
            if (start >= 0
                    && start + mark.length <= pod.length
                    && java.util.Arrays.equals(pod, start, start + mark.length, mark, 0, mark.length)) {
                return true;
            }
        }
        return false;
    }

    /// The devices that a Pod holds; empty if it is on no node, has ended, or asks for no devices.
    static Optional<PodClaim> find(JsonValue pod) {
        String node = text(pod, "spec", "nodeName");
        String phase = text(pod, "status", "phase");
        if (node.isBlank() || phase.equals("Succeeded") || phase.equals("Failed")) {
            return Optional.empty();
        }
        Map<DeviceResource, Long> together = new EnumMap<>(DeviceResource.class);
        for (JsonValue container : items(pod, "spec", "containers")) {
            asked(container).forEach((resource, count) -> together.merge(resource, count, Math::addExact));
        }
        Map<DeviceResource, Long> before = new EnumMap<>(DeviceResource.class);
        for (JsonValue container : items(pod, "spec", "initContainers")) {
            // One that is restarted for ever runs beside the others; the rest run before them, one after another.
            if (text(container, "restartPolicy").equals("Always")) {
                asked(container).forEach((resource, count) -> together.merge(resource, count, Math::addExact));
            } else {
                asked(container).forEach((resource, count) -> before.merge(resource, count, Math::max));
            }
        }
        before.forEach((resource, count) -> together.merge(resource, count, Math::max));
        return together.isEmpty() ? Optional.empty() : Optional.of(new PodClaim(key(pod), node, together));
    }

    /// Namespace and name.
    static String key(JsonValue object) {
        return text(object, "metadata", "namespace") + "/" + text(object, "metadata", "name");
    }

    /// Limits and requests of extended resources are equal; either may be left out.
    private static Map<DeviceResource, Long> asked(JsonValue container) {
        Map<DeviceResource, Long> asked = new EnumMap<>(DeviceResource.class);
        for (String list : List.of("requests", "limits")) {
            Map<DeviceResource, Long> one = new EnumMap<>(DeviceResource.class);
            members(container, "resources", list).forEach((name, value) -> {
                Optional<DeviceResource> resource = DeviceResource.find(name);
                OptionalLong count = Quantity.find(plain(value));
                if (resource.isPresent() && count.isPresent() && count.getAsLong() > 0) {
                    one.merge(resource.get(), Math.min(count.getAsLong(), NodeDevices.MAX_DEVICES), Math::addExact);
                }
            });
            one.forEach((resource, count) -> asked.merge(resource, count, Math::max));
        }
        return asked;
    }

    /// The number of devices of its node that it holds. A share of a device counts as the device, since no other pod
    /// can
    /// have it alone.
    int devices(long coresOfDevice) {
        long count = 0;
        for (Map.Entry<DeviceResource, Long> entry : counts.entrySet()) {
            count += entry.getKey() == DeviceResource.NEURON_CORE
                    ? Math.ceilDiv(entry.getValue(), coresOfDevice)
                    : entry.getValue();
        }
        return (int) Math.min(count, NodeDevices.MAX_DEVICES);
    }
}
