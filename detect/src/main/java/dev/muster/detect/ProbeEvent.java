// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// The duration of one probe, for recordings of the JDK's Flight Recorder.
@Name("dev.muster.Probe")
@Label("Probe")
@Description("One queried source of accelerator facts")
@Category({"Muster", "Detection"})
@StackTrace(false)
final class ProbeEvent extends Event {
    @Label("Probe")
    String probe = "";

    @Label("Devices")
    @Description("Devices that it found")
    int devices;

    @Label("Gaps")
    @Description("Missing facts")
    int gaps;
}
