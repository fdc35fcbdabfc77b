// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.gaudi;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.core.GaudiGeneration;
import dev.muster.detect.FuzzText;
import dev.muster.detect.tool.ToolRow;
import java.util.List;

/// Fuzz test: output of `hl-smi`; any input ends in a result or a declared failure.
final class HlSmiFuzzTest {
    @FuzzTest
    void query(byte[] data) {
        check(HlSmiQueryParser.parse(text(data), List.of("index", "name", "bus_id", "memory.total"))
                .devices());
    }

    @FuzzTest
    void table(byte[] data) {
        HlSmiTableParser.parse(text(data)).ifPresent(HlSmiFuzzTest::check);
    }

    private static void check(List<ToolRow> devices) {
        atMost(DEVICES, devices);
        devices.forEach(device -> HlSmi.profile(device, GaudiGeneration.GAUDI3, FuzzText.SOURCE));
    }
}
