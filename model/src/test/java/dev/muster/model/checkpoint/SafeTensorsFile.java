// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Makes safetensors files, right and wrong ones.
final class SafeTensorsFile {
    private final StringBuilder members = new StringBuilder();
    private long end;

    /// Adds a tensor behind those before.
    SafeTensorsFile tensor(String name, String type, String shape, long bytes) {
        return member("\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":[" + end
                + "," + (end += bytes) + "]}");
    }

    /// Adds any text as a member.
    SafeTensorsFile member(String json) {
        members.append(members.isEmpty() ? "" : ",").append(json);
        return this;
    }

    byte[] bytes() {
        return withHeader("{" + members + "}", (int) end);
    }

    static byte[] withHeader(String header, int data) {
        byte[] text = header.getBytes(StandardCharsets.UTF_8);
        return withLength(text.length, text, data);
    }

    static byte[] withLength(long length, byte[] header, int data) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(length)
                .array());
        out.writeBytes(header);
        out.writeBytes(new byte[data]);
        return out.toByteArray();
    }

    Path write(Path folder, String name) {
        return write(folder, name, bytes());
    }

    static Path write(Path folder, String name, byte[] bytes) {
        try {
            return Files.write(folder.resolve(name), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
