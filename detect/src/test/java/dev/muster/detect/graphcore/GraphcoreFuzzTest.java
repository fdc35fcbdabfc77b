// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.graphcore;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Fuzz test: output of `gc-info`; any input ends in a result or a declared failure.
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
