package dev.muster.detect.intel;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.detect.text.Quantity;
import java.util.Locale;
import java.util.Optional;

/// Makes a profile of what `xpu-smi` says about a device.
final class XpuSmiProfile {
    private final AcceleratorProfile.Builder profile;
    private final Provenance source;

    private XpuSmiProfile(XpuSmiDevice device, Provenance source) {
        this.profile = AcceleratorProfile.builder(IntelGpuProbe.type(device.id()));
        this.source = source;
    }

    static AcceleratorProfile of(XpuSmiDevice device, Provenance source) {
        XpuSmiProfile making = new XpuSmiProfile(device, source);
        making.profile.with(
                DeviceFact.MEMORY, Reading.unknown(UnknownReason.NOT_SUPPORTED, "xpu-smi does not tell it"));
        making.add(DeviceFact.MEMORY, device.findMemory());
        making.add(DeviceFact.DEVICE_NAME, device.find("device_name").or(() -> device.find("name")));
        making.add(DeviceFact.UUID, device.find("uuid").or(() -> device.find("soc_uuid")));
        making.add(DeviceFact.PCI_ADDRESS, device.findAddress());
        making.add(DeviceFact.PCI_ID, device.find("pci_device_id").flatMap(XpuSmiProfile::pciId));
        making.add(DeviceFact.DRIVER_VERSION, device.find("driver_version"));
        making.add(DeviceFact.FIRMWARE_VERSION, device.find("firmware_version"));
        making.add(DeviceFact.CLOCK_MAX, device.findQuantity("core_clock_rate").flatMap(Quantity::megahertz));
        making.add(DeviceFact.PCIE_GENERATION_MAX, device.findCount("pcie_generation"));
        making.add(DeviceFact.PCIE_WIDTH_MAX, device.findCount("pcie_max_link_width"));
        making.add(DeviceFact.ECC, device.find("ecc_state").flatMap(XpuSmiProfile::flag));
        making.add(DeviceFact.COMPUTE_UNITS, device.findCount("number_of_eus"));
        making.add(
                DeviceFact.PARTITIONING,
                device.findCount("number_of_tiles").filter(tiles -> tiles > 1).map(tiles -> tiles + " tiles"));
        making.add(
                DeviceFact.VIRTUALIZATION,
                device.find("function_type").filter("virtual"::equals).map(type -> "virtual function"));
        return making.profile.build();
    }

    private <T> void add(DeviceFact<T> fact, Optional<T> value) {
        value.ifPresent(known -> profile.with(fact, Reading.known(known, source)));
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
