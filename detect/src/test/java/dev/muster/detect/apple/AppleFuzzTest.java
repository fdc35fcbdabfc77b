// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.apple;

import static dev.muster.detect.FuzzText.DEVICES;
import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// What the tools of macOS may print: whatever it is, the readers end as they declare.
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
