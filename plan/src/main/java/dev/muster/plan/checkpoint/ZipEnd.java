package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.MISPLACED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.REFUSED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.plan.checkpoint.CheckpointException.Code.TRUNCATED;

/// The end of a ZIP archive, which says where its table of contents is. Source: PKWARE's APPNOTE 6.3.10, sections
/// 4.3.14 to 4.3.16.
///
/// @param offset where the table begins
/// @param size its bytes
/// @param entries its entries
record ZipEnd(long offset, long size, long entries) {
    private static final int SIGNATURE = 0x0605_4b50;
    private static final int LOCATOR_SIGNATURE = 0x0706_4b50;
    private static final int WIDE_SIGNATURE = 0x0606_4b50;
    private static final int BYTES = 22;
    private static final int COMMENT_LENGTH_AT = 20;
    private static final int LOCATOR_BYTES = 20;
    private static final int WIDE_BYTES = 56;
    private static final int WIDE_VERSIONS_BYTES = 4;
    private static final int LONGEST_COMMENT = 0xFFFF;

    /// A number that stands in the wide record, as 16 and as 32 bits.
    private static final long ELSEWHERE_SHORT = 0xFFFFL;

    private static final long ELSEWHERE_INT = 0xFFFF_FFFFL;

    static ZipEnd find(FileBytes file, CheckpointReader.Limits limits) {
        long at = locate(file);
        ZipEnd narrow = narrow(file, at);
        long locator = at - LOCATOR_BYTES;
        ZipEnd end = narrow;
        long before = at;
        if (locator >= 0 && signatureAt(file, locator) == LOCATOR_SIGNATURE) {
            before = wideOffset(file, locator);
            end = wide(file, before);
            narrow.checkAgainst(end, file);
        }
        end.check(file, limits, before);
        return end;
    }

    /// Looks backwards for an end whose comment goes on to the end of the file.
    private static long locate(FileBytes file) {
        int length = (int) Math.min(file.size(), BYTES + LONGEST_COMMENT);
        long from = file.size() - length;
        file.seek(from);
        byte[] tail = file.readBytes(length);
        for (int at = length - BYTES; at >= 0; at--) {
            int comment = (tail[at + COMMENT_LENGTH_AT] & 0xFF) | ((tail[at + COMMENT_LENGTH_AT + 1] & 0xFF) << 8);
            if (comment == length - BYTES - at && signature(tail, at) == SIGNATURE) {
                return from + at;
            }
        }
        throw file.error(TRUNCATED, "the archive has no table of contents at its end; it may be cut off");
    }

    private static int signature(byte[] bytes, int at) {
        int signature = 0;
        for (int index = Integer.BYTES - 1; index >= 0; index--) {
            signature = (signature << Byte.SIZE) | (bytes[at + index] & 0xFF);
        }
        return signature;
    }

    private static int signatureAt(FileBytes file, long at) {
        file.seek(at);
        return file.readInt();
    }

    private static ZipEnd narrow(FileBytes file, long at) {
        file.seek(at + Integer.BYTES);
        checkDisk(file, file.readShort(), ELSEWHERE_SHORT);
        checkDisk(file, file.readShort(), ELSEWHERE_SHORT);
        long entriesHere = file.readShort();
        long entries = file.readShort();
        checkDisk(file, entries - entriesHere, 0);
        long size = Integer.toUnsignedLong(file.readInt());
        long offset = Integer.toUnsignedLong(file.readInt());
        return new ZipEnd(offset, size, entries);
    }

    private static long wideOffset(FileBytes file, long locator) {
        file.seek(locator + Integer.BYTES);
        checkDisk(file, file.readInt(), 0);
        long offset = file.readLong();
        // How many disks there are: one, for which some writers say none.
        checkDisk(file, file.readInt(), 1);
        if (offset < 0 || offset > locator - WIDE_BYTES) {
            throw file.error(MISPLACED, "the archive's end lies at " + Long.toUnsignedString(offset));
        }
        return offset;
    }

    private static ZipEnd wide(FileBytes file, long at) {
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
        return new ZipEnd(offset, size, entries);
    }

    private static void checkDisk(FileBytes file, long disk, long alsoAllowed) {
        if (disk != 0 && disk != alsoAllowed) {
            throw file.error(REFUSED, "the archive goes over several disks; join its parts first");
        }
    }

    /// Two ends that disagree would be two archives, one for each kind of reader.
    private void checkAgainst(ZipEnd wide, FileBytes file) {
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
        if (entries > size / ZipMember.BYTES) {
            throw file.error(MALFORMED, "a table of " + size + " bytes cannot have " + entries + " members");
        }
    }
}
