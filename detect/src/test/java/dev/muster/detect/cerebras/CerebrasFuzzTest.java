// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cerebras;

import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Fuzz test: output of the tool of Cerebras; any input ends in a result or a declared failure.
final class CerebrasFuzzTest {
    @FuzzTest
    void memory(byte[] data) {
        CerebrasProbe.findMemory(text(data));
    }
}
