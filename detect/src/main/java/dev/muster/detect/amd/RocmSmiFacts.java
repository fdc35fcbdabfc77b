// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.json.JsonValue;
import dev.muster.core.unit.Hertz;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.JsonFields;
import dev.muster.detect.tool.ToolDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The facts of `rocm-smi -a --json`: an object for each card, `card0` and so on, and one for the system. Keys changed
/// their spelling between releases, and some their
/// meaning: they are compared without regard to case, and names that are ids are ignored.
final class RocmSmiFacts {
    private static final long MOST_NUMA_NODES = 4095;

    private static final String CARD = "card";
    private static final String SYSTEM = "system";
    private static final String DRIVER = "Driver version";
    private static final int MAX_GPUS = 1024;

    private final Map<String, String> values = new HashMap<>();
    private final ToolDevice profile;

    private RocmSmiFacts(int index, Map<String, String> values, Provenance source) {
        values.forEach((key, value) -> this.values.put(key.toLowerCase(Locale.ROOT), value.strip()));
        this.profile = new ToolDevice(AcceleratorKind.ROCM_GPU, index, source);
    }

    /// The GPUs, numbered as the tool does.
    ///
    /// @throws dev.muster.core.json.DocumentException if the text is not JSON
    static List<AcceleratorProfile> parse(String text, Provenance source) {
        JsonValue document = JsonValue.parse(JsonFields.documentIn(text));
        Map<String, String> system =
                document.find(SYSTEM).map(RocmSmiFacts::texts).orElse(Map.of());
        List<AcceleratorProfile> gpus = new ArrayList<>();
        if (document instanceof JsonValue.JsonObject object) {
            object.members().forEach((name, value) -> {
                Optional<Long> number = Amount.numbered(name, CARD, MAX_GPUS);
                if (number.isPresent() && gpus.size() < MAX_GPUS) {
                    Map<String, String> values = new HashMap<>(texts(value));
                    values.putIfAbsent(DRIVER, system.getOrDefault(DRIVER, ""));
                    find(number.get().intValue(), values, source).ifPresent(gpus::add);
                }
            });
        }
        return gpus;
    }

    private static Map<String, String> texts(JsonValue value) {
        Map<String, String> texts = new HashMap<>();
        if (value instanceof JsonValue.JsonObject object) {
            object.members().forEach((name, member) -> {
                if (member instanceof JsonValue.JsonString(String text)) {
                    texts.put(name, text);
                }
            });
        }
        return texts;
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
        boolean saysAmd = vendor.contains("amd") || vendor.contains("advanced micro") || vendor.equals("0x1002");
        return saysAmd || (vendor.isEmpty() && (device().isPresent() || hasMarks()));
    }

    /// Reports whether it holds anything that only AMD's tool prints. APUs and short queries leave out ids and vendors.
    private boolean hasMarks() {
        return text("gfx version").filter(target -> target.startsWith("gfx")).isPresent()
                || text("gpu use (%)", "vram total memory (b)", "gpu memory allocated (vram%)")
                        .isPresent();
    }

    private AcceleratorProfile read() {
        profile.with(DeviceFact.PCI_ID, device().map(id -> PciDevice.id(AmdCard.VENDOR, id)));
        add(DeviceFact.PCI_ADDRESS, PciAddress::find, "pci bus");
        add(DeviceFact.UUID, AmdText::uuidOfHex, "unique id");
        profile.with(
                DeviceFact.DEVICE_NAME,
                text("card series")
                        .filter(name -> !name.startsWith("0x"))
                        .map(AmdText::wholeName)
                        .or(() -> text("device name").filter(name -> !name.startsWith("0x"))));
        add(
                DeviceFact.COMPUTE_CAPABILITY,
                target -> Optional.of(target).filter(name -> name.startsWith("gfx")),
                "gfx version");
        add(DeviceFact.FIRMWARE_VERSION, Optional::of, "vbios version");
        add(DeviceFact.DRIVER_VERSION, Optional::of, "driver version");
        add(DeviceFact.MEMORY, AmdText::memory, "vram total memory (b)");
        add(DeviceFact.MEMORY_USED, AmdText::used, "vram total used memory (b)");
        add(
                DeviceFact.TEMPERATURE,
                AmdText::degrees,
                "temperature (sensor edge) (c)",
                "temperature (sensor junction) (c)");
        add(DeviceFact.HOTSPOT_TEMPERATURE, AmdText::degrees, "temperature (sensor junction) (c)");
        add(DeviceFact.MEMORY_TEMPERATURE, AmdText::degrees, "temperature (sensor memory) (c)");
        add(
                DeviceFact.POWER,
                AmdText::watts,
                "average graphics package power (w)",
                "current socket graphics package power (w)");
        add(DeviceFact.POWER_LIMIT, text -> AmdText.powerLimit(AmdText.watts(text)), "max graphics package power (w)");
        add(DeviceFact.UTILIZATION, Amount::percent, "gpu use (%)");
        add(DeviceFact.CLOCK, RocmSmiFacts::clock, "sclk clock speed:");
        add(DeviceFact.MEMORY_CLOCK, RocmSmiFacts::clock, "mclk clock speed:");
        add(DeviceFact.NUMA_NODE, text -> Amount.count(text, MOST_NUMA_NODES), "(topology) numa node");
        String memory = text("memory partition").orElse("");
        add(DeviceFact.PARTITIONING, mode -> Optional.of(AmdText.partitioning(mode, memory)), "compute partition");
        return profile.build();
    }

    private <T> void add(DeviceFact<T> fact, Function<String, Optional<T>> conversion, String... keys) {
        profile.with(fact, text(keys).flatMap(conversion));
    }

    /// The first of some keys that says anything. What the tool does not know it calls `N/A`, also with an excuse:
    /// `N/A (Secondary die)`.
    private Optional<String> text(String... keys) {
        for (String key : keys) {
            String value = values.getOrDefault(key, "");
            if (!value.isEmpty() && !value.startsWith("N/A") && !value.startsWith("Not supported")) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    private Optional<Integer> device() {
        return text("device id", "gpu id").flatMap(AmdText::hex16);
    }

    /// Such as `(300Mhz)`.
    private static Optional<Hertz> clock(String text) {
        return text.startsWith("(") ? Amount.megahertz(text.substring(1).replace(")", "")) : Optional.empty();
    }
}
