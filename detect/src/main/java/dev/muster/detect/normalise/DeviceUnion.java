// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.normalise;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Gap;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Puts the devices of all backends into one list in which no device stands twice.
///
/// Vulkan and Windows see devices that other backends know better: such a device is recognised by UUID, by PCI address,
/// or, where the source tells neither, by its name, and is dropped device by device. Everything else stays.
public final class DeviceUnion {
    private final Consumer<Gap> gaps;
    private final List<AcceleratorProfile> devices = new ArrayList<>();

    /// Starts an empty list.
    ///
    /// @param gaps told of each conflict
    public DeviceUnion(Consumer<Gap> gaps) {
        this.gaps = gaps;
    }

    /// Adds the devices of one backend; backends that know devices better come first.
    public void add(List<AcceleratorProfile> profiles) {
        // Two devices of one source are two devices, however alike they are.
        Set<Integer> taken = new HashSet<>();
        for (AcceleratorProfile profile : profiles) {
            Optional<Integer> same = isVendorNeutral(profile) ? findSame(profile, taken) : Optional.empty();
            if (same.isPresent()) {
                int index = same.get();
                taken.add(index);
                devices.set(index, ProfileMerge.merge(devices.get(index), identityOf(profile), gaps));
            } else if (has(profile.id())) {
                gaps.accept(new Gap.Conflict(profile.id().text(), "two devices have this id; the second was left out"));
            } else {
                taken.add(devices.size());
                devices.add(profile);
            }
        }
    }

    private boolean has(DeviceId id) {
        for (AcceleratorProfile device : devices) {
            if (device.id().equals(id)) {
                return true;
            }
        }
        return false;
    }

    /// The list.
    public List<AcceleratorProfile> devices() {
        return List.copyOf(devices);
    }

    /// Reports whether the source sees devices of many vendors, but few facts.
    private static boolean isVendorNeutral(AcceleratorProfile profile) {
        AcceleratorKind kind = profile.accelerator().kind();
        return kind == AcceleratorKind.VULKAN_GPU || kind == AcceleratorKind.WINDOWS_GPU;
    }

    /// Keeps the trusted facts of such a source: the identity of the device, not its memory or its name.
    private static AcceleratorProfile identityOf(AcceleratorProfile profile) {
        return AcceleratorProfile.builder(profile.accelerator())
                .with(DeviceFact.PCI_ADDRESS, profile.reading(DeviceFact.PCI_ADDRESS))
                .build();
    }

    private Optional<Integer> findSame(AcceleratorProfile profile, Set<Integer> taken) {
        for (int i = 0; i < devices.size(); i++) {
            if (!taken.contains(i) && isSame(devices.get(i), profile)) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    private static boolean isSame(AcceleratorProfile known, AcceleratorProfile seen) {
        if (known.accelerator().kind() == AcceleratorKind.CPU
                || known.accelerator().equals(seen.accelerator())
                || known.partition().isPresent()) {
            return false;
        }
        Optional<Boolean> byAddress = agree(known, seen, DeviceFact.PCI_ADDRESS);
        if (byAddress.isPresent()) {
            return byAddress.get();
        }
        Optional<Boolean> byUuid = agree(known, seen, DeviceFact.UUID);
        if (byUuid.filter(same -> same).isPresent()) {
            return true;
        }
        Optional<Boolean> byPciId = agree(known, seen, DeviceFact.PCI_ID);
        if (byPciId.isPresent()) {
            return byPciId.get();
        }
        return known.deviceName().find().isPresent()
                && seen.deviceName().find().isPresent()
                && namesAgree(
                        known.deviceName().find().get(),
                        seen.deviceName().find().get());
    }

    private static <T> Optional<Boolean> agree(AcceleratorProfile one, AcceleratorProfile other, DeviceFact<T> fact) {
        Optional<T> first = one.reading(fact).find();
        Optional<T> second = other.reading(fact).find();
        return first.isPresent() && second.isPresent() ? Optional.of(first.equals(second)) : Optional.empty();
    }

    /// Drivers put their own words around a name: `AMD Radeon RX 7900 XTX (RADV NAVI31)`.
    private static boolean namesAgree(String one, String other) {
        String first = bare(one);
        String second = bare(other);
        return !first.isEmpty() && !second.isEmpty() && (first.contains(second) || second.contains(first));
    }

    private static String bare(String name) {
        int bracket = name.indexOf('(');
        String words = bracket > 0 ? name.substring(0, bracket) : name;
        return words.toLowerCase(Locale.ROOT)
                .replace("nvidia", "")
                .replace("amd", "")
                .strip();
    }
}
