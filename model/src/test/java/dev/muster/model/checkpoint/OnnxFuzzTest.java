// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;

/// Any input is read as an ONNX model or refused.
final class OnnxFuzzTest {
    private static final FuzzFile FILE = FuzzFile.create("model.onnx");
    private static final int FIRST = 64;

    @FuzzTest
    void model(byte[] data) {
        FILE.read(data, OnnxReader::read);
    }

    @FuzzTest
    void signature(byte[] data) {
        OnnxSignature.matches(Arrays.copyOf(data, Math.min(FIRST, data.length)), data.length);
    }
}
