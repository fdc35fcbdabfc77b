// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.qualcomm;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.detect.FuzzText;

/// What `qaic-util` may print: whatever it is, the readers end as they declare.
final class QaicFuzzTest {
    @FuzzTest
    void listing(byte[] data) {
        atMost(DEVICES, QaicUtilParser.parse(text(data), FuzzText.SOURCE));
    }
}
