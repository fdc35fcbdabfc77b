// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The accelerators of a file, numbered as their vendors number them.
///
/// @param byType every accelerator, by kind and number
record HwlocAccelerators(Map<AcceleratorType, HwlocAccelerator> byType) {
    private static final int MAX_ACCELERATORS = 1024;

    /// @throws HwlocFormatException if there are more than a machine has
    static HwlocAccelerators of(HwlocInventory inventory) {
        List<HwlocAccelerator> found = new ArrayList<>();
        for (HwlocFunction function : inventory.functions) {
            HwlocAccelerator.find(function).ifPresent(found::add);
        }
        found.addAll(loose(inventory.looseDevices));
        if (found.size() > MAX_ACCELERATORS) {
            throw new HwlocFormatException("there are more than " + MAX_ACCELERATORS + " accelerators");
        }
        return new HwlocAccelerators(numbered(found));
    }

    /// Accelerators on no PCI bus, such as those of a system on a chip: objects of one number are one device.
    private static List<HwlocAccelerator> loose(List<HwlocObject> osDevices) {
        Map<AcceleratorType, List<HwlocObject>> byType = new LinkedHashMap<>();
        osDevices.stream()
                .filter(device -> HwlocLibrary.find(device).isPresent())
                .sorted(Comparator.comparing(device -> HwlocLibrary.find(device).orElseThrow()))
                .forEach(device -> {
                    HwlocLibrary library = HwlocLibrary.find(device).orElseThrow();
                    Optional<AcceleratorKind> kind = library.findKind(device);
                    Optional<Long> number = library.findNumber(device);
                    if (kind.isPresent() && number.isPresent()) {
                        byType.computeIfAbsent(AcceleratorType.of(kind.get(), number.get()), _ -> new ArrayList<>())
                                .add(device);
                    }
                });
        List<HwlocAccelerator> found = new ArrayList<>();
        byType.forEach((type, devices) -> found.add(new HwlocAccelerator(type.kind(), devices, null)));
        return found;
    }

    /// By kind and number. Those without a number of their own, and those whose number is taken, get what is left.
    private static Map<AcceleratorType, HwlocAccelerator> numbered(List<HwlocAccelerator> found) {
        Map<AcceleratorType, HwlocAccelerator> byType = new LinkedHashMap<>();
        List<HwlocAccelerator> rest = new ArrayList<>();
        for (HwlocAccelerator accelerator : found) {
            Optional<AcceleratorType> own =
                    accelerator.findNumber().map(number -> AcceleratorType.of(accelerator.kind(), number));
            if (own.isEmpty() || byType.putIfAbsent(own.get(), accelerator) != null) {
                rest.add(accelerator);
            }
        }
        for (HwlocAccelerator accelerator : rest) {
            long number = 0;
            while (byType.putIfAbsent(AcceleratorType.of(accelerator.kind(), number), accelerator) != null) {
                number++;
            }
        }
        Map<AcceleratorType, HwlocAccelerator> sorted = new LinkedHashMap<>();
        byType.keySet().stream()
                .sorted(Comparator.comparing(AcceleratorType::kind).thenComparing(AcceleratorType::deviceId))
                .forEach(type -> sorted.put(type, byType.get(type)));
        return sorted;
    }

    /// Their profiles, in the order of their kinds and numbers.
    List<AcceleratorProfile> profiles(HwlocLayout layout) {
        Set<AcceleratorKind> served = new HashSet<>();
        byType.values().stream()
                .filter(accelerator -> !accelerator.osDevices().isEmpty())
                .forEach(accelerator -> served.add(accelerator.kind()));
        List<AcceleratorProfile> profiles = new ArrayList<>();
        byType.forEach((type, accelerator) -> {
            AcceleratorProfile.ProfileBuilder profile = accelerator.profile(type, layout);
            if (accelerator.osDevices().isEmpty() && served.contains(type.kind())) {
                profile.available(false)
                        .with(
                                DeviceFact.HEALTH,
                                Reading.known("the vendor's library lists others, not this one", HwlocFacts.SOURCE));
            }
            profiles.add(profile.build());
        });
        return profiles;
    }
}
