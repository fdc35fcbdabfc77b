// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.ToolDevice;
import dev.muster.detect.tool.ToolRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// Asks Intel's `xpu-smi`. Baidu's tool of the same name answers otherwise and is not believed. Once a run of it took
/// too long, nothing more is asked. Confined to one thread.
final class XpuSmi {
    static final Tool TOOL = Tool.of("xpu-smi");
    static final int MAX_PROPERTIES = 256;

    /// Limit for one device's details; an answer takes about half a second.
    private static final Duration ENOUGH = Duration.ofSeconds(1);

    private final ProbeContext context;
    private final Consumer<Gap> gaps;
    private final List<Gap> refusals = new ArrayList<>();
    private boolean timedOut;

    XpuSmi(ProbeContext context, Consumer<Gap> gaps) {
        this.context = context;
        this.gaps = gaps;
    }

    /// The devices that the tool lists, with memory where any of its forms tells it.
    List<ToolRow> list() {
        Optional<List<ToolRow>> listed = ask(XpuSmiJsonParser::parse, "discovery", "-j");
        Optional<List<ToolRow>> dumped = ask(XpuSmiDumpParser::parse, "discovery", "--dump", "1,2,8,11,16");
        if (listed.isEmpty() && dumped.isEmpty()) {
            // What ai-hwaccel asks; believed only where a column says that it is memory.
            dumped = ask(XpuSmiDumpParser::parse, "discovery", "--dump", "1,2,18,19");
        }
        if (listed.isEmpty() && dumped.isEmpty()) {
            dumped = ask(XpuSmiTableParser::parse, "discovery");
        }
        if (listed.isEmpty() && dumped.isEmpty()) {
            refusals.forEach(gaps);
            return List.of();
        }
        List<ToolRow> second = dumped.orElse(List.of());
        return listed.map(first -> ToolRow.complete(first, second)).orElse(second).stream()
                .filter(XpuSmi::isIntel)
                .map(this::withDetails)
                .toList();
    }

    /// Returns the links between the tiles.
    Optional<XpuSmiTopology> findTopology() {
        return ask(XpuSmiTopology::parse, "topology", "-m");
    }

    private ToolRow withDetails(ToolRow device) {
        if (context.deadline().remaining().compareTo(ENOUGH) < 0) {
            return device;
        }
        return ask(XpuSmiTableParser::parse, "discovery", "-d", Long.toString(device.number()))
                .map(detailed -> ToolRow.complete(List.of(device), detailed).getFirst())
                .map(this::withStatistics)
                .orElse(device);
    }

    /// Adds load, power and memory in use, which the kernel's driver may know as well and faster.
    private ToolRow withStatistics(ToolRow device) {
        if (context.deadline().remaining().compareTo(ENOUGH) < 0) {
            return device;
        }
        return ask(XpuSmiStatsParser::parse, "stats", "-d", Long.toString(device.number()), "-j")
                .map(statistics ->
                        ToolRow.complete(List.of(device), List.of(statistics)).getFirst())
                .orElse(device);
    }

    private <T> Optional<T> ask(Function<String, Optional<T>> parser, String... arguments) {
        if (timedOut) {
            return Optional.empty();
        }
        CommandOutcome outcome = context.run(TOOL, arguments);
        if (outcome instanceof CommandOutcome.Expired) {
            timedOut = true;
            outcome.findGap(TOOL.name()).ifPresent(gaps);
        }
        Optional<T> answer = outcome.findOutput().flatMap(parser);
        if (!outcome.isSuccess()) {
            outcome.findGap(TOOL.name()).ifPresent(refusals::add);
        } else if (answer.isEmpty()) {
            refusals.add(new Gap.Unparsable(
                    IntelGpuProbe.NAME,
                    "xpu-smi " + String.join(" ", arguments) + " printed output that is not from Intel's tool"));
        }
        return answer;
    }

    /// The JSON name of a property that tables call `PCI BDF Address`.
    static String keyOf(String label) {
        return label.strip().toLowerCase(Locale.ROOT).replace(' ', '_');
    }

    /// Its memory. Tables write `32768.00 MiB`, JSON a number of bytes; the dump that ai-hwaccel asks for plain MiB.
    static Optional<Bytes> findMemory(ToolRow device) {
        return device.findBytes("memory_physical_size", "")
                .or(() -> device.findBytes("memory_physical_size_byte", "B"))
                .or(() -> device.findBytes("mem", "MiB"))
                .filter(memory -> !memory.isZero());
    }

    /// Reports whether it is Intel's: another vendor's tool has the same name.
    static boolean isIntel(ToolRow device) {
        return device.find("vendor_name").or(() -> device.find("device_name")).or(() -> device.find("name")).stream()
                .allMatch(text -> text.toLowerCase(Locale.ROOT).contains("intel"));
    }

    /// Makes a profile of what the tool says about a device.
    static AcceleratorProfile profile(ToolRow device, Provenance source) {
        return new ToolDevice(IntelGpuProbe.type(device.number()), source)
                .withoutMemory("xpu-smi does not report it")
                .with(DeviceFact.MEMORY, findMemory(device))
                .with(DeviceFact.DEVICE_NAME, device.find("device_name").or(() -> device.find("name")))
                .with(DeviceFact.UUID, device.find("uuid").or(() -> device.find("soc_uuid")))
                .with(DeviceFact.PCI_ADDRESS, device.findAddress("pci_bdf_address"))
                .with(DeviceFact.PCI_ID, device.find("pci_device_id").flatMap(XpuSmi::pciId))
                .with(DeviceFact.DRIVER_VERSION, device.find("driver_version"))
                .with(DeviceFact.FIRMWARE_VERSION, device.find("firmware_version"))
                .with(DeviceFact.MEMORY_USED, device.findBytes(XpuSmiStatsParser.PREFIX + "MEMORY_USED", "MiB"))
                .with(
                        DeviceFact.UTILIZATION,
                        statistic(device, "GPU_UTILIZATION").flatMap(Amount::percent))
                .with(DeviceFact.POWER, statistic(device, "POWER").flatMap(Amount::watts))
                .with(
                        DeviceFact.TEMPERATURE,
                        statistic(device, "GPU_CORE_TEMPERATURE").flatMap(Amount::celsius))
                .with(
                        DeviceFact.MEMORY_TEMPERATURE,
                        statistic(device, "MEMORY_TEMPERATURE").flatMap(Amount::celsius))
                .with(DeviceFact.CLOCK, statistic(device, "GPU_FREQUENCY").flatMap(Amount::megahertz))
                .with(DeviceFact.CLOCK_MAX, device.find("core_clock_rate").flatMap(Amount::megahertz))
                .with(DeviceFact.PCIE_GENERATION_MAX, device.findCount("pcie_generation"))
                .with(DeviceFact.PCIE_WIDTH_MAX, device.findCount("pcie_max_link_width"))
                .with(DeviceFact.ECC, device.find("ecc_state").flatMap(XpuSmi::flag))
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

    private static Optional<String> statistic(ToolRow device, String name) {
        return device.find(XpuSmiStatsParser.PREFIX + name);
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
