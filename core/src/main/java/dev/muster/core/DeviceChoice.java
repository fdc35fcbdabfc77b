// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.DeviceUsability.Obstacle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// The devices of a registry that may run work, and the excluded ones with reasons. Plans, checks and meshes all go by
/// this one rule. Immutable and safe to share between threads.
///
/// @param devices the devices to use, processors among them, in the order of the registry
/// @param excluded the others, each with its reason
/// @since 0.1
public record DeviceChoice(List<AcceleratorProfile> devices, List<ExcludedDevice> excluded) {
    private static final String ALL = "all";

    /// Copies the lists.
    public DeviceChoice {
        devices = List.copyOf(devices);
        excluded = List.copyOf(excluded);
    }

    /// A device that gets no work.
    ///
    /// @param device the device
    /// @param reason the reason
    /// @param sentence the same for people, with the device's id
    public record ExcludedDevice(AcceleratorProfile device, Obstacle reason, String sentence) {
        private static ExcludedDevice of(AcceleratorProfile device, DeviceUsability.Reason reason) {
            return new ExcludedDevice(device, reason.obstacle(), device.id() + " " + reason.words());
        }
    }

    /// The usable devices: see [DeviceUsability].
    public static DeviceChoice defaults(AcceleratorRegistry registry) {
        return choose(
                registry,
                device -> DeviceUsability.of(device, registry)
                        .findObstacle()
                        .map(reason -> ExcludedDevice.of(device, reason)));
    }

    /// The devices that a text names, in any state: `all`, or ids, numbers, UUIDs and parts of names with
    /// commas between, such as `cuda:2,5`. `all` leaves out what cannot be used at all.
    ///
    /// @throws IllegalArgumentException if an item means no accelerator of the registry; the message says which
    public static DeviceChoice named(AcceleratorRegistry registry, String text) {
        if (text.strip().equalsIgnoreCase(ALL)) {
            return choose(registry, device -> lost(device, registry));
        }
        List<AcceleratorProfile> accelerators =
                registry.profiles().stream().filter(device -> !isCpu(device)).toList();
        DeviceSelection selection = DeviceSelection.parse(spelledOut(text, accelerators));
        List<String> unmatched = selection.findUnmatched(accelerators);
        if (!unmatched.isEmpty()) {
            List<String> ids =
                    accelerators.stream().map(device -> device.id().text()).toList();
            throw new IllegalArgumentException("no device matches '" + unmatched.getFirst() + "'; "
                    + (ids.isEmpty() ? "the registry has none" : "there are " + String.join(", ", ids)));
        }
        List<AcceleratorProfile> named = selection.select(accelerators);
        return choose(
                registry,
                device -> named.contains(device)
                        ? Optional.empty()
                        : Optional.of(new ExcludedDevice(device, Obstacle.NOT_NAMED, device.id() + " was not named")));
    }

    /// A number behind `cuda:2,` means the same kind of device, and the beginning of a UUID the device that has it.
    private static String spelledOut(String text, List<AcceleratorProfile> devices) {
        StringBuilder out = new StringBuilder();
        String prefix = "";
        for (String item : text.split(",", -1)) {
            String part = item.strip();
            int colon = part.indexOf(':');
            boolean isNumber = !part.isEmpty() && part.chars().allMatch(c -> c >= '0' && c <= '9');
            if (colon > 0 && part.indexOf(':', colon + 1) < 0) {
                prefix = part.substring(0, colon + 1);
            }
            out.append(out.isEmpty() ? "" : ",")
                    .append(findUniqueId(part, devices)
                            .map(id -> "partition:" + id)
                            .orElse(isNumber ? prefix + part : part));
        }
        return out.toString();
    }

    private static Optional<String> findUniqueId(String part, List<AcceleratorProfile> devices) {
        String beginning = part.toLowerCase(Locale.ROOT);
        return !beginning.startsWith("gpu-") && !beginning.startsWith("mig-")
                ? Optional.empty()
                : devices.stream()
                        .map(device -> device.partition()
                                .map(Partition::id)
                                .or(() -> device.reading(DeviceFact.UUID).find())
                                .orElse(""))
                        .filter(id -> id.toLowerCase(Locale.ROOT).startsWith(beginning))
                        .findFirst();
    }

    private static DeviceChoice choose(
            AcceleratorRegistry registry, Function<AcceleratorProfile, Optional<ExcludedDevice>> rule) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        List<ExcludedDevice> excluded = new ArrayList<>();
        for (AcceleratorProfile device : registry.profiles()) {
            Optional<ExcludedDevice> exclusion = isCpu(device) ? Optional.empty() : rule.apply(device);
            exclusion.ifPresentOrElse(excluded::add, () -> devices.add(device));
        }
        return new DeviceChoice(devices, excluded);
    }

    /// The chosen devices without processors.
    public List<AcceleratorProfile> accelerators() {
        return devices.stream().filter(device -> !isCpu(device)).toList();
    }

    /// The registry with the chosen devices alone.
    public AcceleratorRegistry restrict(AcceleratorRegistry registry) {
        return excluded.isEmpty() ? registry : registry.withDevices(devices);
    }

    /// Devices that were excluded although the request did not exclude them.
    public List<ExcludedDevice> warnings() {
        return excluded.stream()
                .filter(one -> one.reason() != Obstacle.NOT_NAMED && one.reason() != Obstacle.PARTITIONED)
                .toList();
    }

    /// A device that cannot be used in any state, and the reason.
    private static Optional<ExcludedDevice> lost(AcceleratorProfile device, AcceleratorRegistry registry) {
        DeviceUsability usability = DeviceUsability.of(device, registry);
        return usability
                .find(Obstacle.UNAVAILABLE)
                .or(() -> usability.find(Obstacle.PARTITIONED))
                .map(reason -> ExcludedDevice.of(device, reason));
    }

    private static boolean isCpu(AcceleratorProfile device) {
        return device.accelerator().family() == AcceleratorFamily.CPU;
    }
}
