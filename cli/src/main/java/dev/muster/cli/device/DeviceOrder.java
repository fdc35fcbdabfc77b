// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.device;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.OptionSpec;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The selection of devices, and their order.
public final class DeviceOrder {
    private static final String AI_ASIC = "ai-asic";

    public static final OptionSpec FAMILY = OptionSpec.choice(
            "family",
            "NAME",
            List.of("cpu", "gpu", "npu", "tpu", "asic", AI_ASIC),
            "only this device family: cpu, gpu, npu, tpu or ai-asic (also asic)");
    public static final OptionSpec SORT = OptionSpec.choice(
            "sort",
            "KEY",
            List.of("mem", "memory", "name", "device", "family"),
            "sort order: memory (or mem; largest first), name (or device), or family");

    private DeviceOrder() {}

    static boolean isAsked(Arguments arguments) {
        return arguments.has(FAMILY) || arguments.has(SORT);
    }

    /// Returns the devices that the options ask for, in the order that they ask for; a list that may be changed.
    public static List<AcceleratorProfile> apply(Arguments arguments, List<AcceleratorProfile> devices) {
        List<AcceleratorProfile> shown = new ArrayList<>(devices);
        Optional<String> family = arguments.find(FAMILY).map(name -> name.equals("asic") ? AI_ASIC : name);
        family.ifPresent(name ->
                shown.removeIf(device -> !device.accelerator().family().text().equals(name)));
        arguments.find(SORT).ifPresent(key -> shown.sort(order(key)));
        return shown;
    }

    /// Devices of unknown memory come last; equal ones keep their order.
    private static Comparator<AcceleratorProfile> order(String key) {
        return switch (key) {
            case "mem", "memory" ->
                Comparator.comparing(
                        device -> device.memory().find().orElse(null),
                        Comparator.nullsLast(Comparator.<Bytes>reverseOrder()));
            case "name", "device" ->
                Comparator.comparing(device -> device.accelerator().display());
            default ->
                Comparator.comparing(device -> device.accelerator().family().display());
        };
    }

    /// Returns the registry with these devices only; what is joined to none of them goes too.
    public static AcceleratorRegistry restrict(AcceleratorRegistry registry, List<AcceleratorProfile> devices) {
        return new AcceleratorRegistry(
                registry.referenceSchema(),
                devices,
                registry.gaps(),
                registry.systemIo(),
                registry.topology()
                        .withoutDevices(id ->
                                devices.stream().noneMatch(device -> device.id().equals(id))),
                registry.observedAt());
    }
}
