package dev.muster.detect;

import dev.muster.detect.nvidia.NvmlRehearsal;

/// Stands in for the probe of a GPU on a machine that has none.
final class RehearsalProbe implements Probe {
    @Override
    public Backend backend() {
        return Backend.CUDA;
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
