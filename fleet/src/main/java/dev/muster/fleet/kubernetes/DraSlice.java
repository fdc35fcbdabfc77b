// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static dev.muster.fleet.json.JsonFields.find;
import static dev.muster.fleet.json.JsonFields.items;
import static dev.muster.fleet.json.JsonFields.members;
import static dev.muster.fleet.json.JsonFields.plain;
import static dev.muster.fleet.json.JsonFields.text;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// A ResourceSlice: some devices of a pool that a driver offers one by one (dynamic resource allocation).
///
/// @param name its name
/// @param pool the pool that it is a part of
/// @param generation the pool's generation; slices of older ones are left-overs
/// @param slicesOfPool the number of slices the pool has in that generation
/// @param node the node of its devices; blank where it names none
/// @param devices the devices
record DraSlice(String name, Pool pool, long generation, long slicesOfPool, String node, List<Device> devices) {
    /// The API server takes no more than 128.
    private static final int MAX_DEVICES = 1024;

    DraSlice {
        devices = List.copyOf(devices);
    }

    /// A pool of a driver; drivers name pools as they like, most by their node.
    ///
    /// @param driver the driver
    /// @param name its name for the pool
    record Pool(String driver, String name) {
        @Override
        public String toString() {
            return driver + "/" + name;
        }
    }

    /// A device as a driver describes it.
    ///
    /// @param name its name in the pool
    /// @param node its node, where devices of one slice lie on several; blank otherwise
    /// @param attributes its attributes as texts; names without the driver's domain
    /// @param capacity its amounts
    /// @param isPossible true if it shares counters with others: it is then one of several ways to divide
    ///     something, and is made only when it is requested
    record Device(
            String name, String node, Map<String, String> attributes, Map<String, Long> capacity, boolean isPossible) {
        /// An attribute under one of its names; blank where there is none.
        String attribute(String... names) {
            for (String each : names) {
                String value = attributes.getOrDefault(each, "");
                if (!value.isBlank()) {
                    return value;
                }
            }
            return "";
        }
    }

    /// Reads a ResourceSlice of any version: `v1beta1` wraps what is said of a device in `basic`.
    static DraSlice read(JsonValue slice) {
        String driver = text(slice, "spec", "driver");
        List<Device> devices = new ArrayList<>();
        for (JsonValue device : items(slice, "spec", "devices")) {
            if (devices.size() < MAX_DEVICES && !text(device, "name").isBlank()) {
                devices.add(device(device, driver));
            }
        }
        return new DraSlice(
                text(slice, "metadata", "name"),
                new Pool(driver, text(slice, "spec", "pool", "name")),
                whole(text(slice, "spec", "pool", "generation")),
                whole(text(slice, "spec", "pool", "resourceSliceCount")),
                text(slice, "spec", "nodeName"),
                devices);
    }

    private static long whole(String text) {
        return NodeOffer.wholeNumber(text).orElse(0);
    }

    private static Device device(JsonValue device, String driver) {
        JsonValue body =
                find(device, "basic").filter(JsonObject.class::isInstance).orElse(device);
        Map<String, String> attributes = new HashMap<>();
        members(body, "attributes").forEach((name, value) -> {
            for (String type : List.of("string", "version", "int", "bool")) {
                String text = text(value, type);
                if (!text.isBlank()) {
                    attributes.put(ownName(name, driver), text);
                }
            }
        });
        Map<String, Long> capacity = new HashMap<>();
        members(body, "capacity").forEach((name, value) -> {
            String amount = plain(value).isEmpty() ? text(value, "value") : plain(value);
            OptionalLong count = Quantity.find(amount);
            count.ifPresent(number -> capacity.put(ownName(name, driver), number));
        });
        return new Device(
                text(device, "name"),
                text(body, "nodeName"),
                attributes,
                capacity,
                !items(body, "consumesCounters").isEmpty());
    }

    private static String ownName(String name, String driver) {
        return !driver.isEmpty() && name.startsWith(driver + "/") ? name.substring(driver.length() + 1) : name;
    }
}
