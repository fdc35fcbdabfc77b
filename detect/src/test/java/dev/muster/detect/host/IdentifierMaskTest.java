// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdentifierMaskTest {
    private static final IdentifierMask MASK = new IdentifierMask("salt".getBytes(StandardCharsets.US_ASCII));

    @ParameterizedTest
    @CsvSource({
        "'GPU 0: H200 (UUID: GPU-06b9ba2e-b33e-c22a-dc3f-5efe9098ec9c)', 06b9ba2e-b33e-c22a-dc3f-5efe9098ec9c",
        "'<serial>1653923045678</serial>', 1653923045678",
        "'<board_part_number>900-21010-0000-000</board_part_number>', 900-21010-0000-000",
        "'{\"Serial Number\": \"PCB020716-0063\"}', PCB020716-0063",
        "'Serial Number: ABC1234567', ABC1234567",
        "'{\"Unique ID\": \"0x65da30b0eb7d7da8\"}', 0x65da30b0eb7d7da8",
        "'ether 04:3f:72:a9:01:fe', 04:3f:72:a9:01:fe",
        "'node 506b:4b03:00f4:8b0a', 506b:4b03:00f4:8b0a",
        "'instance i-0123456789abcdef0', i-0123456789abcdef0",
        "'<process_name>/home/jane/train.py</process_name>', /home/jane/train.py",
        "'|    0   N/A  N/A            4321      C   /home/jane/train.py          1024MiB |', /home/jane/train.py",
        "'|    0    1    0             4321    M+C   python3 train.py             1024MiB |', python3 train.py",
        "'|    0      4321      C   /home/jane/train.py                          1024MiB |', /home/jane/train.py"
    })
    void whatIdentifiesAMachineItsDevicesOrItsProgramsIsMasked(String text, String identifier) {
        assertThat(text).contains(identifier);
        assertThat(MASK.mask("", text)).hasSameSizeAs(text).doesNotContain(identifier);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/sys/class/dmi/id/product_serial", "/sys/class/net/eth0/address", "/etc/machine-id"})
    void aFileThatHoldsNothingElseIsMaskedWhole(String path) {
        assertThat(MASK.mask(path, "a1b2c3d4e5f6\n")).hasSize(13).isNotEqualTo("a1b2c3d4e5f6\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NVIDIA H200",
                "580.159.04",
                "0000:3b:00.0",
                "us-east-1",
                "|   0  NVIDIA H200                    On  |   00000000:00:06.0 Off |                    0 |",
                "|  No running processes found                                                             |"
            })
    void modelsVersionsAddressesAndRegionsStay(String text) {
        assertThat(MASK.mask("", text)).isEqualTo(text);
    }

    @Test
    void twoRecordingsHaveNothingInCommon() {
        IdentifierMask other = new IdentifierMask("other".getBytes(StandardCharsets.US_ASCII));
        String text = "GPU-06b9ba2e-b33e-c22a-dc3f-5efe9098ec9c";

        assertThat(MASK.mask("", text)).isEqualTo(MASK.mask("", text)).isNotEqualTo(other.mask("", text));
    }
}
