package dev.muster.detect.amd;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Hertz;
import dev.muster.detect.tool.Sighting;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Makes a profile of what `rocm-smi` says of a GPU. Keys changed their spelling between releases, and some their
/// meaning: they are compared without regard to case, and names that are ids are no names.
final class RocmSmiFacts {
    private static final long MOST_NUMA_NODES = 4096;

    private final Map<String, String> values = new HashMap<>();
    private final Sighting profile;

    private RocmSmiFacts(int index, Map<String, String> values, Provenance source) {
        values.forEach((key, value) -> this.values.put(key.toLowerCase(Locale.ROOT), value.strip()));
        this.profile = new Sighting(AcceleratorKind.ROCM_GPU, index, source);
    }

    /// The profile; nothing where the tool is another vendor's of the same name.
    static Optional<AcceleratorProfile> find(int index, Map<String, String> values, Provenance source) {
        RocmSmiFacts facts = new RocmSmiFacts(index, values, source);
        return facts.isAmd() ? Optional.of(facts.read()) : Optional.empty();
    }

    /// Hygon's tool of this name speaks of DCUs and HCUs, and names Hygon or its parent as the vendor.
    private boolean isAmd() {
        for (String key : values.keySet()) {
            if (key.startsWith("dcu") || key.startsWith("hcu")) {
                return false;
            }
        }
        String vendor = text("card vendor").orElse("").toLowerCase(Locale.ROOT);
        return device().isPresent()
                && (vendor.isEmpty()
                        || vendor.contains("amd")
                        || vendor.contains("advanced micro")
                        || vendor.equals("0x1002"));
    }

    private AcceleratorProfile read() {
        profile.with(DeviceFact.PCI_ID, device().map(id -> AmdText.pciId(AmdCards.VENDOR, id)));
        profile.with(DeviceFact.PCI_ADDRESS, text("pci bus").flatMap(PciAddress::find));
        profile.with(DeviceFact.UUID, text("unique id").flatMap(AmdText::uuidOfHex));
        profile.with(DeviceFact.DEVICE_NAME, text("card series").filter(RocmSmiFacts::isName));
        profile.with(DeviceFact.FIRMWARE_VERSION, text("vbios version"));
        profile.with(DeviceFact.DRIVER_VERSION, text("driver version"));
        profile.with(DeviceFact.MEMORY, text("vram total memory (b)").flatMap(AmdText::memory));
        profile.with(DeviceFact.MEMORY_USED, text("vram total used memory (b)").flatMap(AmdText::used));
        profile.with(
                DeviceFact.TEMPERATURE,
                text("temperature (sensor edge) (c)")
                        .or(() -> text("temperature (sensor junction) (c)"))
                        .flatMap(AmdText::degrees));
        profile.with(
                DeviceFact.HOTSPOT_TEMPERATURE,
                text("temperature (sensor junction) (c)").flatMap(AmdText::degrees));
        profile.with(
                DeviceFact.MEMORY_TEMPERATURE,
                text("temperature (sensor memory) (c)").flatMap(AmdText::degrees));
        profile.with(
                DeviceFact.POWER,
                text("average graphics package power (w)")
                        .or(() -> text("current socket graphics package power (w)"))
                        .flatMap(AmdText::watts));
        profile.with(
                DeviceFact.POWER_LIMIT,
                AmdText.powerLimit(text("max graphics package power (w)").flatMap(AmdText::watts)));
        profile.with(DeviceFact.UTILIZATION, text("gpu use (%)").flatMap(AmdText::percent));
        profile.with(DeviceFact.CLOCK, clock("sclk clock speed:"));
        profile.with(DeviceFact.MEMORY_CLOCK, clock("mclk clock speed:"));
        profile.with(
                DeviceFact.NUMA_NODE,
                text("(topology) numa node").flatMap(AmdText::whole).filter(node -> node < MOST_NUMA_NODES));
        String memory = text("memory partition").orElse("");
        profile.with(
                DeviceFact.PARTITIONING, text("compute partition").map(mode -> AmdText.partitioning(mode, memory)));
        return profile.build();
    }

    /// What the tool does not know it calls `N/A`, also with an excuse: `N/A (Secondary die)`.
    private Optional<String> text(String key) {
        return Optional.of(values.getOrDefault(key, ""))
                .filter(value -> !value.isEmpty() && !value.startsWith("N/A") && !value.startsWith("Not supported"));
    }

    private Optional<Integer> device() {
        return text("device id").or(() -> text("gpu id")).flatMap(AmdText::hex16);
    }

    private static boolean isName(String text) {
        return !text.startsWith("0x");
    }

    /// Such as `(300Mhz)`.
    private Optional<Hertz> clock(String key) {
        return text(key)
                .filter(value -> value.startsWith("("))
                .flatMap(value -> DpmClockParser.megahertz(value.substring(1)));
    }
}
