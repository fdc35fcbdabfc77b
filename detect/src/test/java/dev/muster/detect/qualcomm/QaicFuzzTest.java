// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.qualcomm;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.detect.FuzzText;

/// Fuzz test: output of `qaic-util`; any input ends in a result or a declared failure.
final class QaicFuzzTest {
    @FuzzTest
    void listing(byte[] data) {
        atMost(DEVICES, QaicUtilParser.parse(text(data), FuzzText.SOURCE));
    }
}
