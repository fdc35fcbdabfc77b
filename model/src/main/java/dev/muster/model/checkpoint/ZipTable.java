// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.MISPLACED;
import static dev.muster.model.checkpoint.CheckpointException.Code.REFUSED;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.model.checkpoint.CheckpointException.Code.TRUNCATED;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// The position of the table of contents of a ZIP archive, as the archive's end states it. Source: PKWARE's APPNOTE
/// 6.3.10, sections 4.3.14 to 4.3.16.
///
/// @param offset start of the table
/// @param size its bytes
/// @param entries its entries
record ZipTable(long offset, long size, long entries) {
    private static final int SIGNATURE = 0x0605_4b50;
    private static final int LOCATOR_SIGNATURE = 0x0706_4b50;
    private static final int WIDE_SIGNATURE = 0x0606_4b50;
    private static final int BYTES = 22;
    private static final int COMMENT_LENGTH_AT = 20;
    private static final int LOCATOR_BYTES = 20;
    private static final int WIDE_BYTES = 56;
    private static final int WIDE_VERSIONS_BYTES = 4;
    private static final int LONGEST_COMMENT = 0xFFFF;

    /// A value that stands in the wide record, as 16 and as 32 bits.
    private static final long ELSEWHERE_SHORT = 0xFFFFL;

    private static final long ELSEWHERE_INT = 0xFFFF_FFFFL;

    static ZipTable find(FileBytes file, CheckpointReader.Limits limits) {
        long at = locate(file);
        ZipTable narrow = narrow(file, at);
        long locator = at - LOCATOR_BYTES;
        ZipTable end = narrow;
        long before = at;
        if (locator >= 0 && signatureAt(file, locator) == LOCATOR_SIGNATURE) {
            before = wideOffset(file, locator);
            end = wide(file, before);
            narrow.checkAgainst(end, file);
        }
        end.check(file, limits, before);
        return end;
    }

    /// Searches backwards for an end record whose comment reaches to the end of the file.
    private static long locate(FileBytes file) {
        int length = (int) Math.min(file.size(), BYTES + LONGEST_COMMENT);
        long from = file.size() - length;
        file.seek(from);
        ByteBuffer tail = ByteBuffer.wrap(file.readBytes(length)).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = length - BYTES; at >= 0; at--) {
            int comment = Short.toUnsignedInt(tail.getShort(at + COMMENT_LENGTH_AT));
            if (comment == length - BYTES - at && tail.getInt(at) == SIGNATURE) {
                return from + at;
            }
        }
        throw file.error(TRUNCATED, "the archive has no table of contents at its end; it may be cut off");
    }

    private static int signatureAt(FileBytes file, long at) {
        file.seek(at);
        return file.readInt();
    }

    private static ZipTable narrow(FileBytes file, long at) {
        file.seek(at + Integer.BYTES);
        checkDisk(file, file.readShort(), ELSEWHERE_SHORT);
        checkDisk(file, file.readShort(), ELSEWHERE_SHORT);
        long entriesHere = file.readShort();
        long entries = file.readShort();
        checkDisk(file, entries - entriesHere, 0);
        long size = Integer.toUnsignedLong(file.readInt());
        long offset = Integer.toUnsignedLong(file.readInt());
        return new ZipTable(offset, size, entries);
    }

    private static long wideOffset(FileBytes file, long locator) {
        file.seek(locator + Integer.BYTES);
        checkDisk(file, file.readInt(), 0);
        long offset = file.readLong();
        // The number of disks: one, for which some writers state none.
        checkDisk(file, file.readInt(), 1);
        if (offset < 0 || offset > locator - WIDE_BYTES) {
            throw file.error(MISPLACED, "the archive's end lies at " + Long.toUnsignedString(offset));
        }
        return offset;
    }

    private static ZipTable wide(FileBytes file, long at) {
        if (signatureAt(file, at) != WIDE_SIGNATURE) {
            throw file.error(MALFORMED, "the archive's end is not where it should be");
        }
        file.skip(Long.BYTES + WIDE_VERSIONS_BYTES);
        checkDisk(file, file.readInt(), 0);
        checkDisk(file, file.readInt(), 0);
        long entriesHere = file.readLong();
        long entries = file.readLong();
        checkDisk(file, entries - entriesHere, 0);
        long size = file.readLong();
        long offset = file.readLong();
        return new ZipTable(offset, size, entries);
    }

    private static void checkDisk(FileBytes file, long disk, long alsoAllowed) {
        if (disk != 0 && disk != alsoAllowed) {
            throw file.error(REFUSED, "the archive goes over several disks; join its parts first");
        }
    }

    /// Refuses two end records that disagree: they would be two archives, one for each kind of reader.
    private void checkAgainst(ZipTable wide, FileBytes file) {
        boolean same = (entries == ELSEWHERE_SHORT || entries == wide.entries)
                && (size == ELSEWHERE_INT || size == wide.size)
                && (offset == ELSEWHERE_INT || offset == wide.offset);
        if (!same) {
            throw file.error(MALFORMED, "the archive's two ends contradict each other");
        }
    }

    private void check(FileBytes file, CheckpointReader.Limits limits, long before) {
        if (offset < 0 || size < 0 || offset > before || size > before - offset) {
            throw file.error(
                    MISPLACED,
                    "the table of contents has " + Long.toUnsignedString(size) + " bytes from "
                            + Long.toUnsignedString(offset) + " on, which the file has not");
        }
        if (entries < 0 || entries > limits.entries()) {
            throw file.error(TOO_LARGE, "the archive has more than " + limits.entries() + " members");
        }
        if (size > limits.headerBytes()) {
            throw file.error(TOO_LARGE, "the table of contents has more than " + limits.headerBytes() + " bytes");
        }
        if (entries > size / Member.BYTES) {
            throw file.error(MALFORMED, "a table of " + size + " bytes cannot have " + entries + " members");
        }
    }

    /// One entry of a ZIP archive's table of contents. Source: PKWARE's APPNOTE 6.3.10, sections 4.3.12 and 4.5.3.
    ///
    /// @param name its name in the archive; data, never a path
    /// @param plain true if its bytes are not compressed
    /// @param size its bytes when unpacked
    /// @param extent its bytes in the archive, with the name and header before them
    /// @param offset start of its header
    record Member(String name, boolean plain, long size, long extent, long offset) {
        /// Bytes of an entry without name, extra fields and comment.
        static final int BYTES = 46;

        private static final int SIGNATURE = 0x0201_4b50;
        private static final int LOCAL_SIGNATURE = 0x0403_4b50;
        private static final int LOCAL_BYTES = 30;
        private static final int LOCAL_LENGTHS_AT = 26;
        private static final int VERSIONS_BYTES = 4;
        private static final int TIME_AND_CHECKSUM_BYTES = 8;
        private static final int ATTRIBUTES_BYTES = 6;
        private static final int WIDE_FIELD = 1;
        private static final int FIELD_HEAD_BYTES = 4;
        private static final int ENCRYPTED = 1;

        /// Reads the entry at the file's position.
        static Member read(FileBytes file, ZipTable end) {
            long left = end.offset() + end.size() - file.position();
            if (left < BYTES || file.readInt() != SIGNATURE) {
                throw file.error(MALFORMED, "the table of contents has fewer members than it says");
            }
            file.skip(VERSIONS_BYTES);
            boolean encrypted = (file.readShort() & ENCRYPTED) != 0;
            int method = file.readShort();
            file.skip(TIME_AND_CHECKSUM_BYTES);
            long packed = Integer.toUnsignedLong(file.readInt());
            long size = Integer.toUnsignedLong(file.readInt());
            int nameBytes = file.readShort();
            int extraBytes = file.readShort();
            int commentBytes = file.readShort();
            int disk = file.readShort();
            file.skip(ATTRIBUTES_BYTES);
            long offset = Integer.toUnsignedLong(file.readInt());
            if (nameBytes + extraBytes + commentBytes > left - BYTES) {
                throw file.error(MALFORMED, "a member's name or comment goes past the table of contents");
            }
            checkDisk(file, disk, ELSEWHERE_SHORT);
            String name = new String(file.readBytes(nameBytes), StandardCharsets.UTF_8);
            long next = file.position() + extraBytes;
            Wide wide = Wide.find(file, next, size, packed, offset);
            file.seek(next + commentBytes);
            long extent = extent(file, end, wide, nameBytes);
            boolean plain = !encrypted && method == 0 && wide.packed == wide.size;
            return new Member(name, plain, wide.size, extent, wide.offset);
        }

        /// Returns the start of a plain member's bytes, behind a header with fields of its own, by which writers
        /// align what follows.
        long start(FileBytes file, ZipTable end) {
            file.seek(offset);
            if (file.readInt() != LOCAL_SIGNATURE) {
                throw file.error(MALFORMED, "the member '" + name + "' is not where the table of contents says");
            }
            file.skip(LOCAL_LENGTHS_AT - Integer.BYTES);
            long start = offset + LOCAL_BYTES + file.readShort() + file.readShort();
            if (size > end.offset() - start) {
                throw file.error(MISPLACED, "the member '" + name + "' goes past the archive's table of contents");
            }
            return start;
        }

        private static long extent(FileBytes file, ZipTable end, Wide wide, int nameBytes) {
            long room = end.offset() - LOCAL_BYTES - nameBytes;
            boolean fits = wide.size >= 0
                    && wide.offset >= 0
                    && wide.packed >= 0
                    && wide.offset <= room
                    && wide.packed <= room - wide.offset;
            if (!fits) {
                throw file.error(
                        MISPLACED,
                        "a member has " + Long.toUnsignedString(wide.packed) + " bytes from "
                                + Long.toUnsignedString(wide.offset) + " on, past the archive's table of contents");
            }
            return LOCAL_BYTES + nameBytes + wide.packed;
        }

        /// Sizes and place with 64 bits: those that do not fit into 32 stand in an extra field, in this order.
        private record Wide(long size, long packed, long offset) {
            static Wide find(FileBytes file, long end, long size, long packed, long offset) {
                if (size != ELSEWHERE_INT && packed != ELSEWHERE_INT && offset != ELSEWHERE_INT) {
                    return new Wide(size, packed, offset);
                }
                long fieldEnd = seek(file, end);
                return new Wide(
                        number(file, fieldEnd, size), number(file, fieldEnd, packed), number(file, fieldEnd, offset));
            }

            /// Goes to the extra field with 64-bit numbers.
            ///
            /// @return its end
            private static long seek(FileBytes file, long end) {
                while (end - file.position() >= FIELD_HEAD_BYTES) {
                    int id = file.readShort();
                    int length = file.readShort();
                    if (length > end - file.position()) {
                        break;
                    }
                    if (id == WIDE_FIELD) {
                        return file.position() + length;
                    }
                    file.skip(length);
                }
                throw missing(file);
            }

            private static long number(FileBytes file, long end, long narrow) {
                if (narrow != ELSEWHERE_INT) {
                    return narrow;
                }
                if (end - file.position() < Long.BYTES) {
                    throw missing(file);
                }
                return file.readLong();
            }

            private static CheckpointException missing(FileBytes file) {
                return file.error(MALFORMED, "a member's size or place is missing");
            }
        }
    }
}
