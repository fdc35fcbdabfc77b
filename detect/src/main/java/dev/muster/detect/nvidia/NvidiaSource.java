package dev.muster.detect.nvidia;

import dev.muster.core.Gap;
import dev.muster.detect.probe.ProbeContext;
import java.util.function.Consumer;

/// One way of asking the driver about its GPUs. The first that tells is believed.
interface NvidiaSource {
    /// Asks.
    ///
    /// @param smi the driver's tool, which remembers that it hung
    /// @param gaps told of what could not be learned
    NvidiaAnswer ask(ProbeContext context, NvidiaSmi smi, Consumer<Gap> gaps);
}
