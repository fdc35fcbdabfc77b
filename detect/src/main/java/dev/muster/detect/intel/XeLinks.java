// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import dev.muster.core.DeviceId;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.Reading;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.text.Amount;
import dev.muster.detect.tool.ToolRow;
import java.util.List;
import java.util.Optional;

/// Adds the Xe Links between GPUs to a report. Links within a GPU, between its tiles, are its own affair.
final class XeLinks {
    private static final double GIGABYTE = 1e9;

    private final ProbeContext context;
    private final List<ToolRow> devices;
    private final ProbeReport.ReportBuilder report;

    XeLinks(ProbeContext context, List<ToolRow> devices, ProbeReport.ReportBuilder report) {
        this.context = context;
        this.devices = List.copyOf(devices);
        this.report = report;
    }

    void add(XpuSmiTopology topology) {
        for (int i = 0; i < devices.size(); i++) {
            for (int j = i + 1; j < devices.size(); j++) {
                long lanes = topology.lanesBetween(
                        devices.get(i).number(), devices.get(j).number());
                if (lanes > 0) {
                    add(devices.get(i), devices.get(j), lanes);
                }
            }
        }
    }

    private void add(ToolRow from, ToolRow to, long lanes) {
        Reading<Bandwidth> bandwidth = laneRate(from)
                .map(rate -> Reading.known(new Bandwidth(rate * lanes), context.fromTool(XpuSmi.TOOL)))
                .orElseGet(Reading::notProbed);
        report.add(new Link(
                node(from), node(to), LinkKind.XE_LINK, Math.toIntExact(lanes), bandwidth, Reading.notProbed()));
    }

    private static NodeId node(ToolRow device) {
        return TopologyNode.DeviceNode.idOf(
                new DeviceId(IntelGpuProbe.type(device.number()).text() + ":" + device.number()));
    }

    /// Returns the one-way rate of a lane, in GB/s; the tool reports it for a port of several lanes.
    private static Optional<Double> laneRate(ToolRow device) {
        Optional<Long> lanes =
                device.findCount("number_of_lanes_per_xe_link_port").filter(count -> count > 0);
        return device.find("max_tx/rx_speed_per_xe_link_port")
                .filter(text -> text.endsWith("MiB/s"))
                .flatMap(text -> Amount.bytes(text.substring(0, text.length() - 2)))
                .flatMap(port -> lanes.map(count -> port.toDouble() / count / GIGABYTE));
    }
}
