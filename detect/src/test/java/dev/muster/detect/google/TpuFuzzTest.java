// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.google;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.detect.FuzzText;

/// Fuzz test: output of `tpu-info`; any input ends in a result or a declared failure.
final class TpuFuzzTest {
    @FuzzTest
    void listing(byte[] data) {
        atMost(DEVICES, TpuInfoParser.parse(text(data), FuzzText.SOURCE).chips());
    }

    @FuzzTest
    void generation(byte[] data) {
        TpuGeneration.find(text(data));
    }
}
