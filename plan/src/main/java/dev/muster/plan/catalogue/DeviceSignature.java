package dev.muster.plan.catalogue;

import dev.muster.core.Reading;
import java.util.List;

/// By what a device is recognised in a machine.
///
/// @param pciIds vendor and device on the PCI bus, such as `10de:2330`
/// @param shortNames what people type beside its id, such as `h100`
/// @param aliases what drivers call it, beside its name
/// @param computeUnits cores, where they tell apart what has one name
/// @param devicesShown as how many devices the system shows one; 2 for a card of two chips
/// @since 0.1
public record DeviceSignature(
        List<String> pciIds,
        List<String> shortNames,
        List<String> aliases,
        Reading<Long> computeUnits,
        int devicesShown) {
    /// Copies the lists.
    public DeviceSignature {
        pciIds = List.copyOf(pciIds);
        shortNames = List.copyOf(shortNames);
        aliases = List.copyOf(aliases);
    }
}
