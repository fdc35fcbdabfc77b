// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cpu;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Reading;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import java.util.Optional;

/// Finds the processor of a machine with Windows, through one question to PowerShell.
final class WindowsCpuProbe {
    private static final String FOLDER = "C:\\Windows\\System32\\WindowsPowerShell\\v1.0";
    private static final String QUESTION = "@{memory=(Get-CimInstance Win32_ComputerSystem).TotalPhysicalMemory;"
            + "free=(Get-CimInstance Win32_OperatingSystem).FreePhysicalMemory;"
            + "processors=@(Get-CimInstance Win32_Processor | Select-Object Name)}"
            + " | ConvertTo-Json -Compress -Depth 3";

    private final ProbeContext context;
    private final Tool shell;
    private final AcceleratorProfile.ProfileBuilder cpu = AcceleratorProfile.builder(AcceleratorType.cpu());

    WindowsCpuProbe(ProbeContext context) {
        this.context = context;
        Tool program = Tool.of("powershell.exe", FOLDER);
        this.shell = context.isInstalled(program) ? program : Tool.of("powershell", FOLDER);
    }

    ProbeReport probe() {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        CommandOutcome outcome = context.run(shell, "-NoProfile", "-NonInteractive", "-Command", QUESTION);
        Optional<WindowsCpu> answer = Optional.empty();
        if (outcome.isSuccess()) {
            answer = outcome.findOutput().flatMap(WindowsCpu::parse);
            if (answer.isEmpty()) {
                report.add(new Gap.Unparsable("cpu", shell.name() + " printed no JSON about the processor"));
            }
        } else {
            outcome.findGap(shell.name()).ifPresent(report::add);
        }
        put(DeviceFact.MEMORY, answer.flatMap(WindowsCpu::memory));
        put(DeviceFact.MEMORY_FREE, answer.flatMap(WindowsCpu::free));
        put(DeviceFact.DEVICE_NAME, answer.flatMap(WindowsCpu::name));
        return report.add(cpu.build()).build();
    }

    private <T> void put(DeviceFact<T> fact, Optional<T> found) {
        cpu.with(fact, Reading.of(found, context.fromTool(shell), shell.name() + " did not report it"));
    }
}
