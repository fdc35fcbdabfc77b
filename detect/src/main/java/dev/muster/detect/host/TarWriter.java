// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Writes a tar archive that [TarReader] and every tar program read; names of any length, GNU's way. All entries carry
/// the same owner and time. Confined to one thread; closes its stream.
///
/// @param seconds the time of all entries, since 1970
record TarWriter(OutputStream stream, long seconds) implements AutoCloseable {
    private static final int BLOCK = 512;
    private static final int NAME_LENGTH = 100;
    private static final int OCTAL = 8;
    private static final String LONG_NAME = "././@LongLink";

    void addFile(String name, byte[] content) throws IOException {
        entry(name, "", '0', content);
    }

    void addFolder(String name) throws IOException {
        entry(name + "/", "", '5', new byte[0]);
    }

    void addLink(String name, String target) throws IOException {
        entry(name, target, '2', new byte[0]);
    }

    private void entry(String name, String link, char type, byte[] content) throws IOException {
        longText(name, 'L');
        longText(link, 'K');
        header(name, link, type, content.length);
        body(content);
    }

    private void longText(String text, char type) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > NAME_LENGTH) {
            byte[] ended = Arrays.copyOf(bytes, bytes.length + 1);
            header(LONG_NAME, "", type, ended.length);
            body(ended);
        }
    }

    private void header(String name, String link, char type, int size) throws IOException {
        byte[] header = new byte[BLOCK];
        put(header, 0, NAME_LENGTH, name);
        number(header, 100, 8, type == '5' ? 0755 : 0644);
        number(header, 108, 8, 0);
        number(header, 116, 8, 0);
        number(header, 124, 12, size);
        number(header, 136, 12, seconds);
        Arrays.fill(header, 148, 156, (byte) ' ');
        header[156] = (byte) type;
        put(header, 157, NAME_LENGTH, link);
        put(header, 257, 8, "ustar  ");
        long sum = 0;
        for (byte b : header) {
            sum += Byte.toUnsignedInt(b);
        }
        number(header, 148, 7, sum);
        stream.write(header);
    }

    private static void put(byte[] header, int offset, int length, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, header, offset, Math.min(length, bytes.length));
    }

    private static void number(byte[] header, int offset, int length, long value) {
        String digits = Long.toString(value, OCTAL);
        put(header, offset, length - 1, "0".repeat(Math.max(0, length - 1 - digits.length())) + digits);
    }

    private void body(byte[] content) throws IOException {
        stream.write(content);
        stream.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    }

    @Override
    public void close() throws IOException {
        stream.write(new byte[2 * BLOCK]);
        stream.close();
    }
}
