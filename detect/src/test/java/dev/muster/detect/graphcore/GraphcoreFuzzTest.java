// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.graphcore;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// What `gc-info` may print: whatever it is, the readers end as they declare.
final class GraphcoreFuzzTest {
    @FuzzTest
    void listing(byte[] data) {
        atMost(DEVICES, GcListParser.parse(text(data)).keySet());
    }

    @FuzzTest
    void memory(byte[] data) {
        GcListParser.parseMemory(text(data));
    }
}
