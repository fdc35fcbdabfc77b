// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.apple;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.DeviceSearch;
import dev.muster.detect.tool.ToolDevice;
import java.util.List;
import java.util.Optional;

/// Finds the GPU and the neural engine of Apple's chips, and the GPUs of Macs before them. Both share the host's memory
/// with the processor. Stateless.
public final class AppleProbe implements DeviceSearch {
    static final String NAME = "apple";

    private static final Tool PROFILER = Tool.of("system_profiler");
    private static final Tool SYSCTL = Tool.of("sysctl");
    private static final String COMPATIBLE = "/proc/device-tree/compatible";
    private static final int MAX_COMPATIBLE = 4096;
    private static final String VENDOR = "apple,";

    @Override
    public boolean hasSigns(ProbeContext context) {
        return context.host().system() == OperatingSystem.MACOS
                || context.files().exists(COMPATIBLE)
                || context.isInstalled(PROFILER);
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        Optional<String> hardware = context.ask(PROFILER, report::add, "SPHardwareDataType");
        if (hardware.isPresent()) {
            addMac(context, hardware.get(), report);
        } else {
            addDeviceTree(context, report);
        }
        return report.build();
    }

    private static void addMac(ProbeContext context, String hardware, ProbeReport.ReportBuilder report) {
        Provenance source = context.fromTool(PROFILER);
        Optional<String> chip = SystemProfilerParser.findValue(hardware, "Chip");
        List<MacGpu> gpus = gpus(context, report);
        if (chip.isEmpty() && !hardware.contains("Apple ")) {
            gpus.forEach(gpu -> report.add(ofOlderMac(gpu, report.profiles().size(), source)));
            return;
        }
        Reading<Bytes> memory = memory(context, hardware, source);
        Optional<MacGpu> own = gpus.stream().filter(MacGpu::isApple).findFirst();
        Optional<String> family = own.flatMap(MacGpu::findMetal);
        report.add(new ToolDevice(AcceleratorKind.METAL_GPU, 0, source)
                        .with(
                                DeviceFact.COMPUTE_CAPABILITY,
                                chip.map(name -> name
                                                + family.map(text -> ", " + text)
                                                        .orElse(""))
                                        .or(() -> family))
                        .with(DeviceFact.DEVICE_NAME, own.flatMap(MacGpu::findName))
                        .with(DeviceFact.COMPUTE_UNITS, own.flatMap(MacGpu::findCores))
                        .build()
                        .toBuilder()
                        .with(DeviceFact.MEMORY, memory)
                        .with(DeviceFact.MEMORY_SHARED, memory)
                        .build());
        gpus.stream()
                .filter(gpu -> !gpu.isApple())
                .forEach(gpu -> report.add(ofOlderMac(gpu, report.profiles().size(), source)));
        report.add(sharing(AcceleratorKind.APPLE_NPU, 0, source)
                .with(DeviceFact.COMPUTE_CAPABILITY, chip)
                .build());
    }

    private static Reading<Bytes> memory(ProbeContext context, String hardware, Provenance source) {
        Optional<Bytes> told =
                SystemProfilerParser.findValue(hardware, "Memory").flatMap(MacMemory::find);
        if (told.isPresent()) {
            return Reading.known(told.get(), source);
        }
        Optional<Bytes> counted =
                context.run(SYSCTL, "-n", "hw.memsize").findOutput().flatMap(text -> Amount.bytes(text, "B"));
        return Reading.of(counted, context.fromTool(SYSCTL), "system_profiler does not report it");
    }

    private static List<MacGpu> gpus(ProbeContext context, ProbeReport.ReportBuilder report) {
        CommandOutcome json = context.run(PROFILER, "SPDisplaysDataType", "-json");
        if (json instanceof CommandOutcome.Expired) {
            json.findGap(PROFILER.name()).ifPresent(report::add);
            return List.of();
        }
        Optional<List<MacGpu>> gpus = json.findOutput().flatMap(SystemProfilerParser::gpusOfJson);
        if (gpus.isPresent()) {
            return gpus.get();
        }
        // macOS before 10.15 knows no JSON.
        Optional<String> text = context.ask(PROFILER, report::add, "SPDisplaysDataType");
        if (text.filter(output -> !output.contains("Displays:")).isPresent()) {
            report.add(new Gap.Unparsable(NAME, "system_profiler lists no displays"));
        }
        return text.map(SystemProfilerParser::gpus).orElse(List.of());
    }

    private static AcceleratorProfile ofOlderMac(MacGpu gpu, int number, Provenance source) {
        return sharing(AcceleratorKind.METAL_GPU, number, source)
                .with(DeviceFact.MEMORY, gpu.findVram())
                .with(DeviceFact.MEMORY_SHARED, gpu.findShared())
                .with(DeviceFact.DEVICE_NAME, gpu.findName())
                .with(DeviceFact.COMPUTE_CAPABILITY, gpu.findMetal())
                .with(DeviceFact.PCI_ID, gpu.findPciId())
                .build();
    }

    /// Linux on Apple's machines names board and chip: `apple,j313`, `apple,t8103`.
    private static void addDeviceTree(ProbeContext context, ProbeReport.ReportBuilder report) {
        if (!(context.files().read(COMPATIBLE, MAX_COMPATIBLE) instanceof HostAnswer.Found(String text))
                || !text.contains(VENDOR)) {
            return;
        }
        Provenance source = context.fromFile(COMPATIBLE);
        Optional<String> chip = findChip(text);
        for (AcceleratorKind kind : List.of(AcceleratorKind.METAL_GPU, AcceleratorKind.APPLE_NPU)) {
            report.add(
                    sharing(kind, 0, source).with(DeviceFact.ARCHITECTURE, chip).build());
        }
    }

    private static Optional<String> findChip(String compatible) {
        for (String name : compatible.split("\0")) {
            if (name.startsWith(VENDOR + "t") && name.length() > VENDOR.length() + 1) {
                return Optional.of(name.substring(VENDOR.length()).strip());
            }
        }
        return Optional.empty();
    }

    private static ToolDevice sharing(AcceleratorKind kind, int number, Provenance source) {
        return new ToolDevice(kind, number, source).withoutMemory("shares the host's memory");
    }
}
