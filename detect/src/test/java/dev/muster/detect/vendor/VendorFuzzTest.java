// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vendor;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.core.AcceleratorKind;
import dev.muster.detect.FuzzText;

/// Fuzz test: output of vendors' tools that are the only source of their devices; any input
/// ends in a result or a declared failure.
final class VendorFuzzTest {
    @FuzzTest
    void hySmi(byte[] data) {
        atMost(DEVICES, HySmiParser.parse(text(data), FuzzText.SOURCE));
        atMost(DEVICES, HySmiParser.parseTable(text(data), FuzzText.SOURCE));
    }

    @FuzzTest
    void rblnSmi(byte[] data) {
        atMost(DEVICES, JsonToolParser.rbln(text(data), FuzzText.SOURCE));
    }

    @FuzzTest
    void mthreadsGmi(byte[] data) {
        atMost(DEVICES, JsonToolParser.mthreads(text(data), FuzzText.SOURCE));
        atMost(DEVICES, SmiTableParser.parse(text(data), AcceleratorKind.MOORE_THREADS_GPU, FuzzText.SOURCE));
    }

    @FuzzTest
    void cnmon(byte[] data) {
        atMost(DEVICES, TextToolParser.cnmon(text(data), FuzzText.SOURCE));
        atMost(DEVICES, SmiTableParser.parse(text(data), AcceleratorKind.CAMBRICON_MLU, FuzzText.SOURCE));
    }

    @FuzzTest
    void xpuSmi(byte[] data) {
        atMost(DEVICES, TextToolParser.kunlun(text(data), FuzzText.SOURCE));
    }

    @FuzzTest
    void ixsmi(byte[] data) {
        atMost(DEVICES, TextToolParser.queryCsv(text(data), AcceleratorKind.ILUVATAR_GPU, FuzzText.SOURCE));
    }

    @FuzzTest
    void furiosaSmi(byte[] data) {
        atMost(DEVICES, TextToolParser.furiosaSmi(text(data), FuzzText.SOURCE));
    }

    @FuzzTest
    void npuSmi(byte[] data) {
        atMost(DEVICES, NpuSmiParser.parse(text(data), FuzzText.SOURCE));
    }

    @FuzzTest
    void ttSmi(byte[] data) {
        atMost(DEVICES, JsonToolParser.ttSmi(text(data), FuzzText.SOURCE));
    }

    @FuzzTest
    void board(byte[] data) {
        VendorModels.findMemory(text(data));
    }
}
