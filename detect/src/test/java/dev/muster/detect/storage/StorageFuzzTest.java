package dev.muster.detect.storage;

import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// What the kernel may say of disks: whatever it is, the readers end as they declare.
final class StorageFuzzTest {
    @FuzzTest
    void sectors(byte[] data) {
        StorageProbe.parseSectors(text(data));
    }
}
