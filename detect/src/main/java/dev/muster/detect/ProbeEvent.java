// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.detect.probe.ProbeReport;
import java.util.function.Supplier;
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

    /// Returns the report of a probe, and commits an event with its duration.
    static ProbeReport record(String name, Supplier<ProbeReport> read) {
        ProbeEvent event = new ProbeEvent();
        event.begin();
        ProbeReport report = read.get();
        event.end();
        if (event.shouldCommit()) {
            event.probe = name;
            event.devices = report.profiles().size();
            event.gaps = report.gaps().size();
            event.commit();
        }
        return report;
    }
}
