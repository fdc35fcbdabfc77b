// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.tool;

import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;

/// The work of one of Muster's own probes; its name and devices are in the table of backends. A search never
/// throws, and is stateless and safe to share between threads.
public interface DeviceSearch {
    /// Reports whether there is any sign of such devices. Reads a few files at most and starts no process: it
    /// runs on every machine. What takes long may be begun in the background.
    boolean hasSigns(ProbeContext context);

    /// Asks the host.
    ProbeReport probe(ProbeContext context);
}
