// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Writes a ZIP archive by hand, right or wrong. Members hold zeros; what the table of contents says of them can be
/// anything.
final class ZipToc {
    private static final long NARROW = 0xFFFF_FFFFL;

    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final ByteArrayOutputStream table = new ByteArrayOutputStream();
    private long entries;

    long disk;
    long entriesOffBy;
    long offsetOffBy;
    long sizeOffBy;
    String comment = "";

    /// Returns one member as PyTorch writes it.
    ZipToc member(String name, int bytes) {
        long at = body.size();
        header(name, bytes);
        return entry(name, 0, 0, bytes, bytes, at);
    }

    /// Returns one member whose sizes and place stand in an extra field.
    ZipToc wideMember(String name, int bytes) {
        long at = body.size();
        header(name, bytes);
        byte[] extra = buffer(4 + 2 + 4 + 24)
                .putShort((short) 0x6375)
                .putShort((short) 2)
                .putShort((short) 0)
                .putShort((short) 1)
                .putShort((short) 24)
                .putLong(bytes)
                .putLong(bytes)
                .putLong(at)
                .array();
        return entry(name, 0, 0, NARROW, NARROW, NARROW, extra, 0);
    }

    /// Adds bytes outside of all members; entries can point to them.
    ZipToc gap(int bytes) {
        body.writeBytes(new byte[bytes]);
        return this;
    }

    private void header(String name, int bytes) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        body.writeBytes(
                buffer(30).putInt(0x0403_4b50).putShort(26, (short) text.length).array());
        body.writeBytes(text);
        body.writeBytes(new byte[bytes]);
    }

    ZipToc entry(String name, int flags, int method, long packed, long size, long offset) {
        return entry(name, flags, method, packed, size, offset, new byte[0], 0);
    }

    ZipToc entry(
            String name, int flags, int method, long packed, long size, long offset, byte[] extra, int diskOfMember) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        table.writeBytes(buffer(46)
                .putInt(0x0201_4b50)
                .putShort((short) 45)
                .putShort((short) 45)
                .putShort((short) flags)
                .putShort((short) method)
                .putLong(0)
                .putInt((int) packed)
                .putInt((int) size)
                .putShort((short) text.length)
                .putShort((short) extra.length)
                .putShort((short) 0)
                .putShort((short) diskOfMember)
                .putShort((short) 0)
                .putInt(0)
                .putInt((int) offset)
                .array());
        table.writeBytes(text);
        table.writeBytes(extra);
        entries++;
        return this;
    }

    byte[] toBytes() {
        ByteArrayOutputStream all = start();
        all.writeBytes(end(entries + entriesOffBy, table.size() + sizeOffBy, body.size() + offsetOffBy));
        return all.toByteArray();
    }

    /// Returns the archive with the end record for large archives.
    byte[] toWideBytes() {
        ByteArrayOutputStream all = start();
        long at = all.size();
        all.writeBytes(buffer(56)
                .putInt(0x0606_4b50)
                .putLong(44)
                .putInt(0)
                .putInt((int) disk)
                .putInt((int) disk)
                .putLong(entries + entriesOffBy)
                .putLong(entries + entriesOffBy)
                .putLong(table.size() + sizeOffBy)
                .putLong(body.size() + offsetOffBy)
                .array());
        all.writeBytes(buffer(20)
                .putInt(0x0706_4b50)
                .putInt((int) disk)
                .putLong(at)
                .putInt(1)
                .array());
        all.writeBytes(end(Math.min(entries, 0xFFFF), table.size(), NARROW));
        return all.toByteArray();
    }

    private ByteArrayOutputStream start() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(body.toByteArray());
        all.writeBytes(table.toByteArray());
        return all;
    }

    private byte[] end(long count, long size, long offset) {
        byte[] text = comment.getBytes(StandardCharsets.UTF_8);
        return buffer(22 + text.length)
                .putInt(0x0605_4b50)
                .putShort((short) disk)
                .putShort((short) disk)
                .putShort((short) count)
                .putShort((short) count)
                .putInt((int) size)
                .putInt((int) offset)
                .putShort((short) text.length)
                .put(text)
                .array();
    }

    private static ByteBuffer buffer(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }
}
