// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// A GGUF file of many small tensors.
final class GgufHeader {
    private static final int ALIGNMENT = 32;
    private static final int ELEMENTS = 32;
    private static final int BYTES = ELEMENTS * Float.BYTES;
    private static final int STRING = 8;
    private static final int F32 = 0;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private GgufHeader() {}

    static long write(Path file, int tensors) throws IOException {
        GgufHeader header = new GgufHeader();
        header.out.writeBytes("GGUF".getBytes(StandardCharsets.US_ASCII));
        header.number(3).longNumber(tensors).longNumber(1);
        header.text("general.architecture").number(STRING).text("llama");
        for (int tensor = 0; tensor < tensors; tensor++) {
            header.text("blk." + tensor / 9 + ".ffn_gate." + tensor + ".weight").number(2);
            header.longNumber(ELEMENTS).longNumber(1).number(F32).longNumber((long) tensor * BYTES);
        }
        int length = header.out.size();
        header.out.writeBytes(new byte[(ALIGNMENT - length % ALIGNMENT) % ALIGNMENT + tensors * BYTES]);
        Files.write(file, header.out.toByteArray());
        return length;
    }

    private GgufHeader number(int value) {
        out.writeBytes(order(Integer.BYTES).putInt(value).array());
        return this;
    }

    private GgufHeader longNumber(long value) {
        out.writeBytes(order(Long.BYTES).putLong(value).array());
        return this;
    }

    private GgufHeader text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        longNumber(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    private static ByteBuffer order(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
