package dev.muster.detect.cerebras;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Tool;
import dev.muster.detect.probe.Probe;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.text.Amount;
import java.util.List;
import java.util.Optional;

/// Finds a Cerebras system: its tool tells, or a node shows that there is one.
public final class CerebrasProbe implements Probe {
    static final String NAME = "cerebras";

    static final Tool CEREBRAS_CLI = Tool.of("cerebras_cli");

    private static final String NODE = "cerebras";
    private static final String CAPABILITY = "WSE";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<AcceleratorKind> kinds() {
        return List.of(AcceleratorKind.CEREBRAS_WSE);
    }

    @Override
    public boolean hasSigns(ProbeContext context) {
        return context.hasNode(NODE) || context.isInstalled(CEREBRAS_CLI);
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.Builder report = ProbeReport.builder();
        CommandOutcome outcome = context.run(CEREBRAS_CLI, "system-info");
        outcome.findGap(CEREBRAS_CLI.name()).ifPresent(report::add);
        boolean told = outcome.isSuccess();
        if (told || context.hasNode(NODE)) {
            String text = told && outcome instanceof CommandOutcome.Completed completed ? completed.output() : "";
            report.add(device(context, text));
        }
        return report.build();
    }

    private static AcceleratorProfile device(ProbeContext context, String text) {
        Reading<Bytes> memory = findMemory(text)
                .map(bytes -> Reading.known(bytes, context.fromTool(CEREBRAS_CLI)))
                .orElseGet(() -> Reading.notSupported(CEREBRAS_CLI.name() + " does not say"));
        return AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CEREBRAS_WSE, 0))
                .with(DeviceFact.MEMORY, memory)
                .with(
                        DeviceFact.COMPUTE_CAPABILITY,
                        Reading.known(CAPABILITY, ProbeContext.fromCatalogue("Cerebras systems")))
                .build();
    }

    /// The memory that `cerebras_cli system-info` tells, as in `SRAM: 40GB`.
    static Optional<Bytes> findMemory(String text) {
        return Amount.memoryLine(text, "GB");
    }
}
