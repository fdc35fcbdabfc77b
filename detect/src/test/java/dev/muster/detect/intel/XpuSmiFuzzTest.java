// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.detect.FuzzText;
import dev.muster.detect.tool.ToolRow;
import java.util.List;

/// Fuzz test: output of `xpu-smi`; any input ends in a result or a declared failure.
final class XpuSmiFuzzTest {
    @FuzzTest
    void json(byte[] data) {
        XpuSmiJsonParser.parse(text(data)).ifPresent(XpuSmiFuzzTest::check);
    }

    @FuzzTest
    void table(byte[] data) {
        XpuSmiTableParser.parse(text(data)).ifPresent(XpuSmiFuzzTest::check);
    }

    @FuzzTest
    void dump(byte[] data) {
        XpuSmiDumpParser.parse(text(data)).ifPresent(XpuSmiFuzzTest::check);
    }

    @FuzzTest
    void statistics(byte[] data) {
        XpuSmiStatsParser.parse(text(data)).ifPresent(device -> check(List.of(device)));
    }

    @FuzzTest
    void topology(byte[] data) {
        XpuSmiTopology.parse(text(data)).ifPresent(topology -> {
            atMost(1 << 16, topology.links());
            topology.lanesBetween(0, 1);
        });
    }

    private static void check(List<ToolRow> devices) {
        atMost(DEVICES, devices);
        devices.forEach(device -> XpuSmi.profile(device, FuzzText.SOURCE));
    }
}
