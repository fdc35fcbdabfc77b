// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cerebras;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.DeviceSearch;
import java.util.Optional;

/// Finds a Cerebras system: its tool tells, or a node shows that there is one.
public final class CerebrasProbe implements DeviceSearch {

    static final Tool CEREBRAS_CLI = Tool.of("cerebras_cli");

    private static final String NODE = "cerebras";
    private static final String CAPABILITY = "WSE";

    @Override
    public boolean hasSigns(ProbeContext context) {
        return context.hasNode(NODE) || context.isInstalled(CEREBRAS_CLI);
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.ReportBuilder report = ProbeReport.builder();
        Optional<String> told = context.ask(CEREBRAS_CLI, report::add, "system-info");
        if (told.isPresent() || context.hasNode(NODE)) {
            report.add(AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CEREBRAS_WSE, 0))
                    .with(
                            DeviceFact.MEMORY,
                            Reading.of(
                                    told.flatMap(CerebrasProbe::findMemory),
                                    context.fromTool(CEREBRAS_CLI),
                                    CEREBRAS_CLI.name() + " does not report it"))
                    .with(
                            DeviceFact.COMPUTE_CAPABILITY,
                            Reading.known(CAPABILITY, ProbeContext.fromCatalogue("Cerebras systems")))
                    .build());
        }
        return report.build();
    }

    /// The memory that `cerebras_cli system-info` tells, as in `SRAM: 40GB`.
    static Optional<Bytes> findMemory(String text) {
        return Amount.memoryLine(text, "GB");
    }
}
