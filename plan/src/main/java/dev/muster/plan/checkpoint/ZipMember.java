package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.MISPLACED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.REFUSED;

import java.nio.charset.StandardCharsets;

/// One entry of a ZIP archive's table of contents. Source: PKWARE's APPNOTE 6.3.10, sections 4.3.12 and 4.5.3.
///
/// @param name its name in the archive; data, never a path
/// @param plain whether its bytes stand in the archive as they are
/// @param size its bytes when unpacked
/// @param extent its bytes in the archive, with the name and header before them
record ZipMember(String name, boolean plain, long size, long extent) {
    /// An entry without name, extra fields and comment.
    static final int BYTES = 46;

    private static final int SIGNATURE = 0x0201_4b50;
    private static final int LOCAL_BYTES = 30;
    private static final int VERSIONS_BYTES = 4;
    private static final int TIME_AND_CHECKSUM_BYTES = 8;
    private static final int ATTRIBUTES_BYTES = 6;
    private static final int WIDE_FIELD = 1;
    private static final int FIELD_HEAD_BYTES = 4;
    private static final int ENCRYPTED = 1;
    private static final long ELSEWHERE = 0xFFFF_FFFFL;
    private static final int ELSEWHERE_SHORT = 0xFFFF;

    /// Reads the entry at the file's position.
    static ZipMember read(FileBytes file, ZipEnd end) {
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
        if (disk != 0 && disk != ELSEWHERE_SHORT) {
            throw file.error(REFUSED, "the archive goes over several disks; join its parts first");
        }
        String name = new String(file.readBytes(nameBytes), StandardCharsets.UTF_8);
        long next = file.position() + extraBytes;
        Wide wide = Wide.find(file, next, size, packed, offset);
        file.seek(next + commentBytes);
        long extent = extent(file, end, wide, nameBytes);
        boolean plain = !encrypted && method == 0 && wide.packed == wide.size;
        return new ZipMember(name, plain, wide.size, extent);
    }

    private static long extent(FileBytes file, ZipEnd end, Wide wide, int nameBytes) {
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
            if (size != ELSEWHERE && packed != ELSEWHERE && offset != ELSEWHERE) {
                return new Wide(size, packed, offset);
            }
            long fieldEnd = seek(file, end);
            return new Wide(
                    number(file, fieldEnd, size), number(file, fieldEnd, packed), number(file, fieldEnd, offset));
        }

        /// Goes to the extra field with 64-bit numbers.
        ///
        /// @return where it ends
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
            if (narrow != ELSEWHERE) {
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
