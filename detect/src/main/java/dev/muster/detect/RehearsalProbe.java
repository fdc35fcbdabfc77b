package dev.muster.detect;

import dev.muster.core.AcceleratorKind;
import dev.muster.detect.nvidia.NvmlRehearsal;
import dev.muster.detect.probe.Probe;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import java.util.List;

/// Stands in for the probe of a GPU on a machine that has none.
final class RehearsalProbe implements Probe {
    @Override
    public String name() {
        return Backend.CUDA.text();
    }

    @Override
    public List<AcceleratorKind> kinds() {
        return Backend.CUDA.kinds();
    }

    @Override
    public boolean hasSigns(ProbeContext context) {
        return false;
    }

    @Override
    public ProbeReport probe(ProbeContext context) {
        return NvmlRehearsal.run(context);
    }
}
