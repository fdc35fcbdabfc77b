package dev.muster.plan.checkpoint;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Whatever a PyTorch archive is, its table of contents is read or refused.
final class PyTorchFuzzTest {
    private static final FuzzFile FILE = FuzzFile.create("model.pt");

    @FuzzTest
    void archive(byte[] data) {
        FILE.read(data, PyTorchReader::read);
    }
}
