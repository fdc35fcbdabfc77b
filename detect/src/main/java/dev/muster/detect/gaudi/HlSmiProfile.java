package dev.muster.detect.gaudi;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.Provenance;
import dev.muster.detect.text.Amount;
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
                .with(DeviceFact.MEMORY, device.findBytes("memory.total", MIB).filter(size -> !size.isZero()))
                .with(DeviceFact.MEMORY_USED, device.findBytes("memory.used", MIB))
                .with(DeviceFact.MEMORY_FREE, device.findBytes("memory.free", MIB))
                .with(DeviceFact.COMPUTE_CAPABILITY, Optional.of(generation.display()))
                .with(DeviceFact.DEVICE_NAME, device.find("name"))
                .with(DeviceFact.DRIVER_VERSION, device.find("driver_version"))
                .with(DeviceFact.UUID, device.find("uuid"))
                .with(DeviceFact.PCI_ADDRESS, device.findAddress("bus_id"))
                .with(DeviceFact.POWER, device.find("power.draw").flatMap(Amount::watts))
                .with(DeviceFact.POWER_LIMIT, device.find("power.max").flatMap(Amount::watts))
                .with(DeviceFact.TEMPERATURE, device.find("temperature.aip").flatMap(Amount::celsius))
                .with(DeviceFact.UTILIZATION, device.find("utilization.aip").flatMap(Amount::percent))
                .build();
    }
}
