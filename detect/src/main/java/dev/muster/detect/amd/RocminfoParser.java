// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.ToolDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads what `rocminfo` prints: a block of `Key: value` lines for each agent. Processors are agents too: GPUs are
/// those whose `Device Type` says so.
final class RocminfoParser {
    private static final int MAX_GPUS = 1024;
    private static final long MOST_KIB = 1L << 34;
    private static final long MOST_LOCATION = 0xffff;
    private static final int BUS_SHIFT = 8;
    private static final int DEVICE_SHIFT = 3;
    private static final int DEVICE_MASK = 0x1f;
    private static final int FUNCTION_MASK = 7;

    private RocminfoParser() {}

    static List<AcceleratorProfile> parse(String text, Provenance source) {
        List<AcceleratorProfile> gpus = new ArrayList<>();
        Map<String, String> agent = new HashMap<>();
        for (String line : text.split("\n")) {
            if (line.startsWith("Agent ")) {
                add(gpus, agent, source);
                agent.clear();
            }
            int colon = line.indexOf(':');
            if (colon > 0) {
                // Blocks hold others with the same keys, such as each instruction set's name: the first is the agent's.
                agent.putIfAbsent(
                        line.substring(0, colon).strip(),
                        line.substring(colon + 1).strip());
            }
        }
        add(gpus, agent, source);
        return gpus;
    }

    private static void add(List<AcceleratorProfile> gpus, Map<String, String> agent, Provenance source) {
        if (!"GPU".equals(agent.get("Device Type"))
                || !"AMD".equals(agent.get("Vendor Name"))
                || gpus.size() == MAX_GPUS) {
            return;
        }
        ToolDevice gpu = new ToolDevice(AcceleratorKind.ROCM_GPU, gpus.size(), source);
        gpu.with(DeviceFact.COMPUTE_CAPABILITY, text(agent, "Name"));
        gpu.with(DeviceFact.DEVICE_NAME, text(agent, "Marketing Name"));
        gpu.with(DeviceFact.UUID, text(agent, "Uuid").filter(id -> !id.equals("GPU-XX")));
        gpu.with(DeviceFact.COMPUTE_UNITS, number(agent, "Compute Unit"));
        gpu.with(
                DeviceFact.PCI_ID,
                number(agent, "Chip ID")
                        .filter(id -> id <= MOST_LOCATION)
                        .map(id -> PciDevice.id(AmdCard.VENDOR, id.intValue())));
        gpu.with(DeviceFact.PCI_ADDRESS, address(agent));
        gpu.with(DeviceFact.CLOCK_MAX, text(agent, "Max Clock Freq. (MHz)").flatMap(Amount::megahertz));
        // The memory that an APU tells is the host's.
        boolean shared = agent.getOrDefault("Memory Properties", "").contains("APU");
        gpu.with(
                shared ? DeviceFact.MEMORY_SHARED : DeviceFact.MEMORY,
                number(agent, "Size")
                        .filter(size -> size > 0 && size <= MOST_KIB)
                        .map(Bytes::ofKib));
        gpus.add(gpu.build());
    }

    private static Optional<String> text(Map<String, String> agent, String key) {
        return Optional.ofNullable(agent.get(key)).filter(value -> !value.isEmpty());
    }

    /// Such as 29857 in `29857(0x74a1)`.
    private static Optional<Long> number(Map<String, String> agent, String key) {
        String value = agent.getOrDefault(key, "");
        int bracket = value.indexOf('(');
        return AmdText.whole(bracket < 0 ? value : value.substring(0, bracket));
    }

    /// Older releases do not tell the domain, and then the place is not known.
    private static Optional<PciAddress> address(Map<String, String> agent) {
        return number(agent, "Domain")
                .filter(domain -> domain <= Integer.MAX_VALUE)
                .flatMap(domain -> number(agent, "BDFID")
                        .filter(place -> place > 0 && place <= MOST_LOCATION)
                        .map(place -> new PciAddress(
                                domain.intValue(),
                                (int) (place >> BUS_SHIFT),
                                (int) (place >> DEVICE_SHIFT) & DEVICE_MASK,
                                (int) (place & FUNCTION_MASK))));
    }
}
