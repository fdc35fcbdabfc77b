// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.apple;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Fuzz test: output of the tools of macOS; any input ends in a result or a declared failure.
final class AppleFuzzTest {
    @FuzzTest
    void words(byte[] data) {
        atMost(DEVICES, SystemProfilerParser.gpus(text(data)));
    }

    @FuzzTest
    void json(byte[] data) {
        SystemProfilerParser.gpusOfJson(text(data)).ifPresent(gpus -> atMost(DEVICES, gpus));
    }

    @FuzzTest
    void values(byte[] data) {
        String text = text(data);
        SystemProfilerParser.findValue(text, "Chip");
        MacMemory.find(text);
    }
}
