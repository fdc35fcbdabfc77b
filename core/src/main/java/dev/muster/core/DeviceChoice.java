// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
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
    /// A device with a higher utilization than this is in use by other processes.
    public static final double BUSY_LOAD = 0.5;
    /// So does one of whose memory more than this is taken.
    public static final double BUSY_MEMORY = 0.5;

    private static final String ALL = "all";
    private static final String HEALTHY = "ok";

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
    public record ExcludedDevice(AcceleratorProfile device, ExclusionReason reason, String sentence) {}

    /// The reason for excluding a device.
    public enum ExclusionReason {
        /// It cannot be used now: lost, or without a driver.
        UNAVAILABLE,
        /// It says that it is not well, or has memory errors that could not be corrected.
        UNHEALTHY,
        /// It is divided, and its slices are devices instead.
        PARTITIONED,
        /// Others hold its memory or keep it busy.
        IN_USE,
        /// Others were named.
        NOT_NAMED
    }

    /// The devices that can be used, are well, are not divided and not in use.
    public static DeviceChoice defaults(AcceleratorRegistry registry) {
        return choose(registry, device -> exclusion(device, registry));
    }

    /// The devices that a text names, in any state: `all`, or ids, numbers, UUIDs and parts of names with
    /// commas between, such as `cuda:2,5`. `all` leaves out what cannot be used at all.
    ///
    /// @throws IllegalArgumentException if an item means no accelerator of the registry; the message says which
    public static DeviceChoice named(AcceleratorRegistry registry, String text) {
        if (text.strip().equalsIgnoreCase(ALL)) {
            return choose(registry, device -> unusable(device, registry));
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
                        : Optional.of(
                                new ExcludedDevice(device, ExclusionReason.NOT_NAMED, device.id() + " was not named")));
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
                .filter(one -> one.reason() != ExclusionReason.NOT_NAMED && one.reason() != ExclusionReason.PARTITIONED)
                .toList();
    }

    private static Optional<ExcludedDevice> exclusion(AcceleratorProfile device, AcceleratorRegistry registry) {
        return unusable(device, registry)
                .or(() -> unhealthy(device))
                .or(() -> device.partition()
                        .flatMap(partition -> registry.find(partition.parent()))
                        .flatMap(DeviceChoice::unhealthy)
                        .map(parent -> new ExcludedDevice(
                                device, ExclusionReason.UNHEALTHY, device.id() + ": " + parent.sentence())))
                .or(() -> inUse(device));
    }

    private static Optional<ExcludedDevice> unusable(AcceleratorProfile device, AcceleratorRegistry registry) {
        Optional<String> health =
                device.reading(DeviceFact.HEALTH).find().filter(words -> !words.equalsIgnoreCase(HEALTHY));
        // One in MIG mode cannot be used as a whole, and is well all the same.
        if (!device.available() && (health.isPresent() || !device.isDivided())) {
            String why = health.map(words -> ": " + words).orElse("");
            return Optional.of(
                    new ExcludedDevice(device, ExclusionReason.UNAVAILABLE, device.id() + " cannot be used" + why));
        }
        List<AcceleratorProfile> slices = registry.profiles().stream()
                .filter(one -> one.partition()
                        .filter(partition -> partition.parent().equals(device.id()))
                        .isPresent())
                .toList();
        if (slices.isEmpty() && !device.isDivided()) {
            return Optional.empty();
        }
        return Optional.of(new ExcludedDevice(
                device,
                ExclusionReason.PARTITIONED,
                device.id() + " is divided; "
                        + (slices.isEmpty() ? "it has no slice" : "its " + count(slices.size()) + " instead")));
    }

    private static String count(int slices) {
        return slices == 1 ? "slice is a device" : slices + " slices are devices";
    }

    private static Optional<ExcludedDevice> unhealthy(AcceleratorProfile device) {
        Optional<String> words = device.reading(DeviceFact.HEALTH)
                .find()
                .filter(health -> !health.equalsIgnoreCase(HEALTHY))
                .map(health -> " is not well: " + health)
                .or(() -> device.reading(DeviceFact.ECC_UNCORRECTED)
                        .find()
                        .filter(errors -> errors > 0)
                        .map(errors -> " has " + errors + " uncorrected memory error" + (errors == 1 ? "" : "s")))
                .or(() -> device.reading(DeviceFact.FABRIC_STATE)
                        .find()
                        .filter(state -> state.toLowerCase(Locale.ROOT).contains("unhealthy"))
                        .map(state -> " has an unhealthy fabric: " + state));
        return words.map(text -> new ExcludedDevice(device, ExclusionReason.UNHEALTHY, device.id() + text));
    }

    private static Optional<ExcludedDevice> inUse(AcceleratorProfile device) {
        double load =
                device.reading(DeviceFact.UTILIZATION).find().map(Ratio::value).orElse(0.0);
        Optional<Bytes> total = device.memory().find().filter(bytes -> !bytes.isZero());
        double taken = total.map(bytes -> taken(device, bytes)).orElse(0.0);
        if (load <= BUSY_LOAD && taken <= BUSY_MEMORY) {
            return Optional.empty();
        }
        String sentence =
                device.id() + " is in use: " + percent(load) + " load, " + percent(taken) + " of its memory taken";
        return Optional.of(new ExcludedDevice(device, ExclusionReason.IN_USE, sentence));
    }

    /// The share of a device's memory that is taken; 0 where that is not known.
    private static double taken(AcceleratorProfile device, Bytes total) {
        return device.reading(DeviceFact.MEMORY_USED)
                .find()
                .map(used -> used.toDouble() / total.toDouble())
                .or(() -> device.memoryFree().find().map(free -> 1 - free.toDouble() / total.toDouble()))
                .orElse(0.0);
    }

    private static String percent(double share) {
        return Math.round(100 * share) + " %";
    }

    private static boolean isCpu(AcceleratorProfile device) {
        return device.accelerator().family() == AcceleratorFamily.CPU;
    }
}
