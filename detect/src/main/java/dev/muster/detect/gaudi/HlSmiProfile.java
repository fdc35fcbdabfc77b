package dev.muster.detect.gaudi;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.Provenance;
import dev.muster.detect.text.Quantity;
import dev.muster.detect.tool.Sighting;
import dev.muster.detect.tool.ToolRow;
import java.util.Optional;

/// Makes a profile of what `hl-smi` says about a device.
final class HlSmiProfile {
    private static final String MIB = "MiB";

    private HlSmiProfile() {}

    static AcceleratorProfile of(ToolRow device, GaudiGeneration generation, Provenance source) {
        return new Sighting(new AcceleratorType.Gaudi(device.number(), generation), source)
                .withoutMemory("hl-smi does not tell it")
                .with(
                        DeviceFact.MEMORY,
                        device.findQuantity("memory.total", MIB)
                                .flatMap(Quantity::bytes)
                                .filter(size -> !size.isZero()))
                .with(
                        DeviceFact.MEMORY_USED,
                        device.findQuantity("memory.used", MIB).flatMap(Quantity::bytes))
                .with(
                        DeviceFact.MEMORY_FREE,
                        device.findQuantity("memory.free", MIB).flatMap(Quantity::bytes))
                .with(DeviceFact.COMPUTE_CAPABILITY, Optional.of(generation.display()))
                .with(DeviceFact.DEVICE_NAME, device.find("name"))
                .with(DeviceFact.DRIVER_VERSION, device.find("driver_version"))
                .with(DeviceFact.UUID, device.find("uuid"))
                .with(DeviceFact.PCI_ADDRESS, device.findAddress("bus_id"))
                .with(DeviceFact.POWER, device.findQuantity("power.draw", "W").flatMap(Quantity::watts))
                .with(
                        DeviceFact.POWER_LIMIT,
                        device.findQuantity("power.max", "W").flatMap(Quantity::watts))
                .with(
                        DeviceFact.TEMPERATURE,
                        device.findQuantity("temperature.aip", "C").flatMap(Quantity::celsius))
                .with(
                        DeviceFact.UTILIZATION,
                        device.findQuantity("utilization.aip", "%").flatMap(Quantity::ratio))
                .build();
    }
}
