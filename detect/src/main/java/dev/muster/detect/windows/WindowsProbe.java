// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.windows;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.tool.DeviceSearch;
import dev.muster.detect.tool.ToolDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Finds GPUs that Windows lists, through PowerShell, or `wmic` where PowerShell does not answer. Stateless.
public final class WindowsProbe implements DeviceSearch {
    static final String NAME = "windows_wmi";

    private static final String SHELL_FOLDER = "C:\\Windows\\System32\\WindowsPowerShell\\v1.0";
    private static final String WMIC_FOLDER = "C:\\Windows\\System32\\wbem";
    private static final String CONTROLLERS = "Get-CimInstance Win32_VideoController | Select-Object ";
    /// One start of PowerShell for both: what the system lists, and the memory's size in 64 bits from the registry.
    private static final String QUESTION = "@{controllers=@(" + CONTROLLERS
            + "Name,AdapterRAM,DriverVersion,PNPDeviceID);memory=@(Get-ItemProperty"
            + " 'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968-e325-11ce-bfc1-08002be10318}\\0*'"
            + " -ErrorAction SilentlyContinue | Select-Object DriverDesc,MatchingDeviceId,"
            + "@{n='MemorySize';e={$_.'HardwareInformation.qwMemorySize'}})} | ConvertTo-Json -Compress -Depth 4";

    private static final String WSL_NODE = "dxg";

    @Override
    public boolean hasSigns(ProbeContext context) {
        return context.host().system() == OperatingSystem.WINDOWS
                || context.isInstalled(Tool.of("powershell"))
                || context.isInstalled(Tool.of("wmic"))
                || isUnnamedInWsl(context);
    }

    /// Reports whether Windows passes a GPU into this Linux, and no vendor's tool is here to name it.
    private static boolean isUnnamedInWsl(ProbeContext context) {
        return context.nodes().contains(WSL_NODE)
                && !context.isInstalled(Tool.of("nvidia-smi", "/usr/lib/wsl/lib"))
                && !context.isInstalled(Tool.of("rocminfo", "/opt/rocm/bin"))
                && !context.isInstalled(Tool.of("amd-smi", "/opt/rocm/bin"))
                && !context.files().exists("/usr/lib/wsl/lib/libcuda.so.1");
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        if (isUnnamedInWsl(context)) {
            String reason = "Windows passes the GPU through without naming it";
            return report.add(new ToolDevice(
                                    AcceleratorType.of(AcceleratorKind.WINDOWS_GPU, 0),
                                    context.fromFile("/dev/" + WSL_NODE))
                            .withoutMemory(reason).build().toBuilder()
                                    .with(DeviceFact.DEVICE_NAME, Reading.notSupported(reason))
                                    .build())
                    .build();
        }
        Questions questions = new Questions(context);
        questions
                .ask()
                .ifPresentOrElse(
                        told -> add(report, told.answer(), told.source()),
                        () -> questions.refusals.forEach(report::add));
        return report.build();
    }

    /// The answer of a tool.
    ///
    /// @param answer its output
    /// @param source the tool
    private record ToolAnswer(PowerShellParser.Answer answer, Provenance source) {}

    /// Asks in one form after the other until there is an answer. Confined to one thread.
    private static final class Questions {
        private static final String CLASS = "Win32_VideoController";

        private final ProbeContext context;
        private final Tool shell;
        private final Tool wmic;
        private final List<Gap> refusals = new ArrayList<>();

        Questions(ProbeContext context) {
            this.context = context;
            this.shell = pick("powershell", SHELL_FOLDER);
            this.wmic = pick("wmic", WMIC_FOLDER);
        }

        private Tool pick(String name, String folder) {
            Tool program = Tool.of(name + ".exe", folder);
            return context.isInstalled(program) ? program : Tool.of(name, folder);
        }

        Optional<ToolAnswer> ask() {
            return ask(PowerShellParser::parse, shell, "-NoProfile", "-NonInteractive", "-Command", QUESTION)
                    .or(() -> ask(
                            Questions::ofTable,
                            wmic,
                            "path",
                            CLASS,
                            "get",
                            "Name,AdapterRAM,DriverVersion,PNPDeviceID",
                            "/format:list"))
                    .or(this::askOldTools);
        }

        /// The query that ai-hwaccel uses.
        private Optional<ToolAnswer> askOldTools() {
            String columns = "Name,AdapterRAM,DriverVersion";
            return ask(Questions::ofTable, wmic, "path", CLASS, "get", columns + ",VideoProcessor", "/format:csv")
                    .or(() -> ask(
                            Questions::ofTable,
                            shell,
                            "-NoProfile",
                            "-Command",
                            CONTROLLERS + columns + " | ConvertTo-Csv -NoTypeInformation"));
        }

        private static Optional<PowerShellParser.Answer> ofTable(String output) {
            return WmicParser.parse(output).map(adapters -> new PowerShellParser.Answer(adapters, List.of()));
        }

        private Optional<ToolAnswer> ask(
                Function<String, Optional<PowerShellParser.Answer>> parser, Tool tool, String... arguments) {
            if (refusals.stream().anyMatch(gap -> isTimeOut(gap, tool))) {
                return Optional.empty();
            }
            CommandOutcome outcome = context.run(tool, arguments);
            Optional<PowerShellParser.Answer> answer = outcome.findOutput().flatMap(parser);
            if (!outcome.isSuccess()) {
                outcome.findGap(tool.name()).ifPresent(refusals::add);
            } else if (answer.isEmpty()) {
                refusals.add(new Gap.Unparsable(NAME, tool.name() + " printed no list of video controllers"));
            }
            return answer.map(known -> new ToolAnswer(known, context.fromTool(tool)));
        }

        private static boolean isTimeOut(Gap gap, Tool tool) {
            return gap instanceof Gap.Timeout timedOut && timedOut.tool().equals(tool.name());
        }
    }

    private static void add(ProbeReport.ReportBuilder report, PowerShellParser.Answer answer, Provenance source) {
        for (WindowsAdapter adapter : answer.adapters()) {
            if (!adapter.isVirtual()) {
                report.add(profile(adapter, answer.memory(), report.profiles().size(), source));
            }
        }
    }

    private static AcceleratorProfile profile(
            WindowsAdapter adapter, List<WindowsAdapter.Memory> registry, int number, Provenance source) {
        AcceleratorProfile.ProfileBuilder profile =
                AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.WINDOWS_GPU, number));
        Optional<Bytes> memory = registry.stream()
                .filter(entry -> entry.describes(adapter))
                .flatMap(entry -> entry.findSize().stream())
                .findFirst()
                .or(adapter::findMemory);
        profile.with(
                DeviceFact.MEMORY,
                memory.map(size -> Reading.known(size, source))
                        .orElseGet(() -> Reading.notSupported("Windows reports at most 4 GiB, in 32 bits")));
        profile.with(DeviceFact.DEVICE_NAME, Reading.known(adapter.name(), source));
        if (!adapter.driverVersion().isEmpty()) {
            profile.with(DeviceFact.DRIVER_VERSION, Reading.known(adapter.driverVersion(), source));
        }
        adapter.findPciId().ifPresent(id -> profile.with(DeviceFact.PCI_ID, Reading.known(id, source)));
        return profile.build();
    }
}
