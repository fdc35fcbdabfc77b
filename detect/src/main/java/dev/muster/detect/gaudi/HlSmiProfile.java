package dev.muster.detect.gaudi;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.detect.text.Quantity;
import java.util.Optional;

/// Makes a profile of what `hl-smi` says about a device.
final class HlSmiProfile {
    private static final String MIB = "MiB";

    private final AcceleratorProfile.Builder profile;
    private final Provenance source;

    private HlSmiProfile(AcceleratorProfile.Builder profile, Provenance source) {
        this.profile = profile;
        this.source = source;
    }

    static AcceleratorProfile of(HlSmiDevice device, GaudiGeneration generation, Provenance source) {
        HlSmiProfile making = new HlSmiProfile(
                AcceleratorProfile.builder(new AcceleratorType.Gaudi(device.index(), generation)), source);
        making.profile.with(DeviceFact.MEMORY, Reading.unknown(UnknownReason.NOT_SUPPORTED, "hl-smi does not tell it"));
        making.add(
                DeviceFact.MEMORY,
                device.findQuantity("memory.total", MIB)
                        .flatMap(Quantity::bytes)
                        .filter(size -> !size.isZero()));
        making.add(
                DeviceFact.MEMORY_USED, device.findQuantity("memory.used", MIB).flatMap(Quantity::bytes));
        making.add(
                DeviceFact.MEMORY_FREE, device.findQuantity("memory.free", MIB).flatMap(Quantity::bytes));
        making.add(DeviceFact.COMPUTE_CAPABILITY, Optional.of(generation.display()));
        making.add(DeviceFact.DEVICE_NAME, device.find("name"));
        making.add(DeviceFact.DRIVER_VERSION, device.find("driver_version"));
        making.add(DeviceFact.UUID, device.find("uuid"));
        making.add(DeviceFact.PCI_ADDRESS, device.findAddress());
        making.add(DeviceFact.POWER, device.findQuantity("power.draw", "W").flatMap(Quantity::watts));
        making.add(DeviceFact.POWER_LIMIT, device.findQuantity("power.max", "W").flatMap(Quantity::watts));
        making.add(
                DeviceFact.TEMPERATURE,
                device.findQuantity("temperature.aip", "C").flatMap(Quantity::celsius));
        making.add(
                DeviceFact.UTILIZATION,
                device.findQuantity("utilization.aip", "%").flatMap(Quantity::ratio));
        return making.profile.build();
    }

    private <T> void add(DeviceFact<T> fact, Optional<T> value) {
        value.ifPresent(known -> profile.with(fact, Reading.known(known, source)));
    }
}
