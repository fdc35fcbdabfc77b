// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.probe;

import dev.muster.core.AcceleratorKind;
import java.util.List;

/// Asks a host about the devices of one vendor or driver. A probe never throws: what it could not learn is a gap in its
/// report. Stateless and safe to share between threads.
///
/// @since 0.1
public interface Probe {
    /// The name in timings, gaps and logs: lower case with `_`, such as `intel_npu`. No two probes share one.
    String name();

    /// The kinds of device it finds, not empty; [AcceleratorKind#OTHER] for devices of families it does not say.
    List<AcceleratorKind> kinds();

    /// Reports whether there is any sign of such devices: a PCI id, a device node, a folder of the driver, an installed
    /// tool. Looks at a few files at most and starts no process: it runs on every machine.
    boolean hasSigns(ProbeContext context);

    /// Asks the host.
    ProbeReport probe(ProbeContext context);
}
