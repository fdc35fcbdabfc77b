// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.storage;

import static dev.muster.detect.FuzzText.atMost;
import static dev.muster.detect.FuzzText.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.FuzzText;
import java.util.List;

/// Fuzz test: the kernel's data on disks; any input ends in a result or a declared failure.
final class StorageFuzzTest {
    @FuzzTest
    void sectors(byte[] data) {
        StorageProbe.parseSectors(text(data));
    }

    @FuzzTest
    void arrays(byte[] data) {
        List<MdstatParser.Raid> arrays = MdstatParser.parse(text(data));
        atMost(FuzzText.DEVICES, arrays);
        for (MdstatParser.Raid array : arrays) {
            assertThat(array.state()).isNotBlank();
            assertThat(Bytes.ofKib(array.kib())).isNotNull();
        }
    }
}
