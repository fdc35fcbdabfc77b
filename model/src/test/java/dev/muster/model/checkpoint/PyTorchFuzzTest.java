// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.model.checkpoint.PickleReader.NotUnderstoodException;
import java.util.Map;

/// Any input is read as a PyTorch archive, with its table of contents and its pickle, or refused.
final class PyTorchFuzzTest {
    private static final FuzzFile FILE = FuzzFile.create("model.pt");

    @FuzzTest
    void archive(byte[] data) {
        FILE.read(data, PyTorchReader::read);
    }

    @FuzzTest
    void pickle(byte[] data) {
        try {
            TorchWeights.of(PickleReader.read(data), Map.of("0", 64L, "1", 4096L));
        } catch (NotUnderstoodException _) {
            // as good as an answer
        }
    }
}
