package dev.muster.detect.intel;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.Sighting;
import dev.muster.detect.tool.ToolRow;
import java.util.Locale;
import java.util.Optional;

/// Makes a profile of what `xpu-smi` says about a device.
final class XpuSmiProfile {
    private XpuSmiProfile() {}

    static AcceleratorProfile of(ToolRow device, Provenance source) {
        return new Sighting(IntelGpuProbe.type(device.number()), source)
                .withoutMemory("xpu-smi does not tell it")
                .with(DeviceFact.MEMORY, XpuSmi.findMemory(device))
                .with(DeviceFact.DEVICE_NAME, device.find("device_name").or(() -> device.find("name")))
                .with(DeviceFact.UUID, device.find("uuid").or(() -> device.find("soc_uuid")))
                .with(DeviceFact.PCI_ADDRESS, device.findAddress("pci_bdf_address"))
                .with(DeviceFact.PCI_ID, device.find("pci_device_id").flatMap(XpuSmiProfile::pciId))
                .with(DeviceFact.DRIVER_VERSION, device.find("driver_version"))
                .with(DeviceFact.FIRMWARE_VERSION, device.find("firmware_version"))
                .with(DeviceFact.CLOCK_MAX, device.find("core_clock_rate").flatMap(Amount::megahertz))
                .with(DeviceFact.PCIE_GENERATION_MAX, device.findCount("pcie_generation"))
                .with(DeviceFact.PCIE_WIDTH_MAX, device.findCount("pcie_max_link_width"))
                .with(DeviceFact.ECC, device.find("ecc_state").flatMap(XpuSmiProfile::flag))
                .with(DeviceFact.COMPUTE_UNITS, device.findCount("number_of_eus"))
                .with(
                        DeviceFact.PARTITIONING,
                        device.findCount("number_of_tiles")
                                .filter(tiles -> tiles > 1)
                                .map(tiles -> tiles + " tiles"))
                .with(
                        DeviceFact.VIRTUALIZATION,
                        device.find("function_type").filter("virtual"::equals).map(type -> "virtual function"))
                .build();
    }

    /// The tool leaves out leading zeros: `0x20a`.
    private static Optional<String> pciId(String text) {
        String digits = text.startsWith("0x") ? text.substring(2) : text;
        return digits.isEmpty() || digits.length() > 4
                ? Optional.empty()
                : Optional.of("8086:" + "0".repeat(4 - digits.length()) + digits.toLowerCase(Locale.ROOT));
    }

    private static Optional<Boolean> flag(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "enabled" -> Optional.of(true);
            case "disabled" -> Optional.of(false);
            default -> Optional.empty();
        };
    }
}
