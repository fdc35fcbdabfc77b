package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.MISPLACED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.TOO_LARGE;

import java.nio.file.Path;

/// Reads safetensors: eight bytes with the header's length, a JSON header, the tensors. A file in which the tensors do
/// not lie one behind the other up to the file's end is refused, as the format demands.
final class SafeTensorsReader {
    /// The length, and the first byte of the header, which is always a brace.
    private static final int START_BYTES = Long.BYTES + 1;

    private SafeTensorsReader() {}

    /// Whether a file may be one: the header's length is plausible and the header begins with a brace.
    static boolean recognises(byte[] first) {
        if (first.length < START_BYTES || first[Long.BYTES] != '{') {
            return false;
        }
        long length = LittleEndian.getLong(first, 0);
        return length > 0 && length <= CheckpointLimits.DEFAULT.headerBytes();
    }

    /// Adds the tensors of one file to the tally.
    static CheckpointFile read(Path path, Scan scan) {
        try (FileBytes file = FileBytes.open(path, scan.deadline())) {
            long length = file.readLong();
            if (length < 0 || length > scan.limits().headerBytes()) {
                throw file.error(
                        TOO_LARGE,
                        "the header should have " + Long.toUnsignedString(length) + " bytes; at most "
                                + scan.limits().headerBytes() + " are read");
            }
            file.require(length);
            if (length == 0) {
                throw file.error(MALFORMED, "the header is empty");
            }
            long dataStart = Long.BYTES + length;
            DataLayout layout = new DataLayout(dataStart);
            SafeTensorsHeader header = new SafeTensorsHeader(file, length, scan.tally(), layout);
            header.read();
            scan.tally().requireDistinct(file);
            long end = layout.requireContiguous(file);
            if (end != file.size()) {
                throw file.error(
                        MISPLACED,
                        "the tensors end at byte " + end + ", the file at " + file.size()
                                + (end > file.size() ? "; it is cut off" : ""));
            }
            return file.describe();
        }
    }
}
