// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.google;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.detect.FuzzText;

/// What `tpu-info` may print: whatever it is, the readers end as they declare.
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
