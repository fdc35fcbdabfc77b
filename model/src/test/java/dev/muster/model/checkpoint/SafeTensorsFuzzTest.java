// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// The readers end as declared on any input.
final class SafeTensorsFuzzTest {
    private static final FuzzFile FILE = FuzzFile.create("fuzz.safetensors");

    @FuzzTest
    void header(byte[] data) {
        FILE.read(SafeTensorsFile.withLength(data.length, data, 64), SafeTensorsReader::read);
    }

    @FuzzTest
    void whole(byte[] data) {
        FILE.read(data, (path, _) -> CheckpointReader.create().read(path));
    }

    @FuzzTest
    void config(byte[] data) {
        refusedOrRead(() -> HuggingFaceConfig.parse(data).architecture());
    }

    @FuzzTest
    void index(byte[] data) {
        refusedOrRead(
                () -> ShardIndex.parse("model.safetensors.index.json", data).files(CheckpointReader.Limits.DEFAULT));
    }

    private static void refusedOrRead(Runnable reading) {
        try {
            reading.run();
        } catch (CheckpointException _) {
            // as declared
        }
    }
}
