package dev.muster.plan.catalogue;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.plan.model.CatalogueException;

/// Puts what the catalogue says of a device into profiles.
final class DeviceProfiles {
    private DeviceProfiles() {}

    /// A profile of which the catalogue is the only source.
    static AcceleratorProfile profile(DeviceEntry entry, long deviceId) {
        AcceleratorType type = DeviceKinds.findType(entry, deviceId)
                .orElseThrow(() -> CatalogueException.of("nothing can be planned for '" + entry.id()
                        + "', since no machine shows such a device by itself; choose another device"));
        Provenance source = entry.provenance();
        AcceleratorProfile.Builder profile = AcceleratorProfile.builder(type)
                .with(DeviceFact.MEMORY, Reading.known(entry.memory().usable(), source))
                .with(DeviceFact.DEVICE_NAME, Reading.known(entry.name(), source));
        if (!entry.signature().pciIds().isEmpty()) {
            profile.with(
                    DeviceFact.PCI_ID, Reading.known(entry.signature().pciIds().getFirst(), source));
        }
        return enriched(profile.build(), entry);
    }

    /// The profile with what it does not know and the catalogue does.
    static AcceleratorProfile enriched(AcceleratorProfile profile, DeviceEntry entry) {
        Provenance source = entry.provenance();
        AcceleratorProfile.Builder builder = profile.toBuilder();
        fill(
                builder,
                profile,
                DeviceFact.MEMORY_BANDWIDTH,
                Reading.known(entry.memory().bandwidth(), source));
        fill(
                builder,
                profile,
                DeviceFact.MEMORY_TYPE,
                Reading.known(entry.memory().type(), source));
        fill(builder, profile, DeviceFact.POWER_LIMIT, entry.tdp());
        if (entry.link().isFabric()) {
            fill(builder, profile, DeviceFact.FABRIC_BANDWIDTH, entry.link().oneWay());
        }
        return builder.build();
    }

    private static <T> void fill(
            AcceleratorProfile.Builder builder, AcceleratorProfile profile, DeviceFact<T> fact, Reading<T> stated) {
        if (!profile.reading(fact).isKnown() && stated.isKnown()) {
            builder.with(fact, stated);
        }
    }
}
