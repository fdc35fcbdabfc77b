// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TarReaderTest {
    private static final int BLOCK = 512;

    @Test
    void headersCountTowardsTheLimitOfAnArchive() throws IOException {
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        for (int i = 0; i < 100; i++) {
            archive.write(emptyFile("root/" + i, 'x'));
        }
        archive.write(emptyFile("root/last", '0'));
        byte[] bytes = archive.toByteArray();

        assertThat(new TarReader(new ByteArrayInputStream(bytes), BLOCK, 101 * BLOCK).next())
                .isPresent();
        assertThatThrownBy(() -> new TarReader(new ByteArrayInputStream(bytes), BLOCK, 100 * BLOCK).next())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("larger than is read");
    }

    private static byte[] emptyFile(String name, char type) {
        byte[] header = new byte[BLOCK];
        put(header, 0, name);
        put(header, 124, "00000000000");
        Arrays.fill(header, 148, 156, (byte) ' ');
        header[156] = (byte) type;
        int sum = 0;
        for (byte b : header) {
            sum += b;
        }
        put(header, 148, Integer.toOctalString(sum));
        return header;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
