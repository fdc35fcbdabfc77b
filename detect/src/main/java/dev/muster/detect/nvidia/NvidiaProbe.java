package dev.muster.detect.nvidia;

import dev.muster.detect.Backend;
import dev.muster.detect.Probe;
import dev.muster.detect.ProbeContext;
import dev.muster.detect.ProbeReport;

/// Finds NVIDIA GPUs.
public final class NvidiaProbe implements Probe {
    /// Makes it.
    public NvidiaProbe() {}

    @Override
    public Backend backend() {
        return Backend.CUDA;
    }

    @Override
    public boolean hasSigns(ProbeContext context) {
        return context.pci().hasVendor(0x10de);
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        ProbeReport.Builder report = ProbeReport.builder();
        NvmlSource.ask(context).ifPresent(answer -> {
            answer.profiles().forEach(report::add);
            answer.gaps().forEach(report::add);
        });
        return report.build();
    }
}
