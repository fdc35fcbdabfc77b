// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Reading;
import dev.muster.core.json.DocumentException;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Asks AMD's tools. Confined to one thread.
final class AmdTools {
    static final Tool AMD_SMI = Tool.of("amd-smi", "/opt/rocm/bin");
    static final Tool ROCM_SMI = Tool.of("rocm-smi", "/opt/rocm/bin");
    static final Tool ROCMINFO = Tool.of("rocminfo", "/opt/rocm/bin");

    private static final String JSON = "--json";

    private final ProbeContext context;
    private final ProbeReport.ReportBuilder report;
    /// Tools that did not answer in time are not asked again.
    private final Set<String> hung = new HashSet<>();

    AmdTools(ProbeContext context, ProbeReport.ReportBuilder report) {
        this.context = context;
        this.report = report;
    }

    /// Reports whether any tool is installed.
    static boolean isInstalled(ProbeContext context) {
        return context.isInstalled(AMD_SMI) || context.isInstalled(ROCM_SMI) || context.isInstalled(ROCMINFO);
    }

    /// The GPUs as the first tool tells them that knows any.
    List<AcceleratorProfile> ask() {
        List<AcceleratorProfile> gpus = amdSmi();
        if (gpus.isEmpty()) {
            gpus = parse(ROCM_SMI, this::rocmSmi, "-a", JSON);
        }
        if (gpus.isEmpty()) {
            gpus = parse(ROCMINFO, text -> RocminfoParser.parse(text, context.fromTool(ROCMINFO)));
        }
        return gpus;
    }

    private List<AcceleratorProfile> rocmSmi(String text) {
        List<AcceleratorProfile> gpus = RocmSmiFacts.parse(text, context.fromTool(ROCM_SMI));
        if (gpus.isEmpty()) {
            report.add(new Gap.Unparsable(
                    RocmProbe.NAME, ROCM_SMI.name() + " -a " + JSON + " lists no AMD GPU in a known form"));
        }
        return gpus;
    }

    private List<AcceleratorProfile> amdSmi() {
        Map<Integer, AmdSmiGpu> metrics = new HashMap<>();
        List<AmdSmiGpu> gpus = parse(AMD_SMI, AmdSmiGpu::parse, "static", JSON);
        if (!gpus.isEmpty()) {
            parse(AMD_SMI, AmdSmiGpu::parse, "metric", JSON).forEach(gpu -> metrics.put(gpu.index(), gpu));
        }
        Optional<String> rocm = gpus.isEmpty() ? Optional.empty() : rocmVersion();
        List<AcceleratorProfile> profiles = new ArrayList<>();
        for (AmdSmiGpu gpu : gpus) {
            // Further partitions of one package repeat it.
            if (gpu.find("partition.partition_id").orElse("0").equals("0")) {
                AmdSmiGpu both = gpu.with(metrics.getOrDefault(gpu.index(), gpu));
                AcceleratorProfile profile = AmdSmiFacts.profile(both, context.fromTool(AMD_SMI));
                profiles.add(rocm.map(version -> profile.toBuilder()
                                .with(DeviceFact.RUNTIME_VERSION, Reading.known(version, context.fromTool(AMD_SMI)))
                                .build())
                        .orElse(profile));
            }
        }
        return profiles;
    }

    private Optional<String> rocmVersion() {
        return context.files().exists(GpuProfiles.ROCM_VERSION)
                ? Optional.empty()
                : text(AMD_SMI, "version").flatMap(AmdText::rocmVersion);
    }

    /// Returns the link between each pair of GPUs; empty if no tool reports it.
    LinkMatrix linkTypes() {
        return text(ROCM_SMI, "--showtopo")
                .map(text -> LinkMatrix.parse(text, "Link Type between two GPUs"))
                .or(() -> text(AMD_SMI, "topology", "-t").map(text -> LinkMatrix.parse(text, "Link type table")))
                .orElse(LinkMatrix.EMPTY);
    }

    /// The XGMI ports of each GPU.
    List<XgmiPort> xgmiPorts() {
        return text(AMD_SMI, "xgmi").map(XgmiPort::parse).orElse(List.of());
    }

    private <T> List<T> parse(Tool tool, Function<String, List<T>> parser, String... arguments) {
        Optional<String> text = text(tool, arguments);
        if (text.isEmpty()) {
            return List.of();
        }
        try {
            return parser.apply(text.get());
        } catch (DocumentException e) {
            report.add(new Gap.Unparsable(
                    RocmProbe.NAME,
                    tool.name() + " " + String.join(" ", arguments) + ": " + String.valueOf(e.getMessage())));
            return List.of();
        }
    }

    private Optional<String> text(Tool tool, String... arguments) {
        if (hung.contains(tool.name())) {
            return Optional.empty();
        }
        CommandOutcome outcome = context.run(tool, arguments);
        outcome.findGap(tool.name()).ifPresent(report::add);
        if (outcome instanceof CommandOutcome.Expired) {
            hung.add(tool.name());
        }
        return outcome.findOutput();
    }
}
