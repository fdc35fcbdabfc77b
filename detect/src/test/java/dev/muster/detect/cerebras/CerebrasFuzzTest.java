// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cerebras;

import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// What the tool of Cerebras may print: whatever it is, the readers end as they declare.
final class CerebrasFuzzTest {
    @FuzzTest
    void memory(byte[] data) {
        CerebrasProbe.findMemory(text(data));
    }
}
