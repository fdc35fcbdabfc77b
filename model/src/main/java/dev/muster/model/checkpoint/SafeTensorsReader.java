// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.MISPLACED;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// A reader of safetensors: eight bytes with the header's length, a JSON header, the tensors. A file whose tensors do
/// not lie one behind the other up to the file's end is refused, as the format demands.
final class SafeTensorsReader {
    /// The length, and the first byte of the header, which is always a brace.
    private static final int START_BYTES = Long.BYTES + 1;

    private SafeTensorsReader() {}

    /// Reports whether a file may be safetensors: the header's length is plausible and the header begins with a
    /// brace.
    static boolean recognises(byte[] first) {
        if (first.length < START_BYTES || first[Long.BYTES] != '{') {
            return false;
        }
        long length = ByteBuffer.wrap(first).order(ByteOrder.LITTLE_ENDIAN).getLong();
        return length > 0 && length <= CheckpointReader.Limits.DEFAULT.headerBytes();
    }

    /// Reads a single file without a configuration beside it.
    static Checkpoint read(Path path, Scan scan) {
        return of(List.of(add(path, scan)), scan, ModelArchitecture.UNKNOWN);
    }

    static Checkpoint.File add(Path path, Scan scan) {
        try (FileBytes file = FileBytes.open(path, scan)) {
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

    static Checkpoint of(List<Checkpoint.File> files, Scan scan, ModelArchitecture architecture) {
        Provenance from = Provenance.of(
                files.size() == 1 ? files.getFirst().name() : files.size() + " files",
                Provenance.Method.FILE,
                Provenance.Confidence.MEASURED);
        return new Checkpoint(
                Reading.known(ModelFormat.SAFE_TENSORS, from),
                Reading.unknown(UnknownReason.NOT_SUPPORTED, "safetensors has no versions"),
                Reading.unknown(UnknownReason.NOT_STATED),
                files,
                Reading.known(scan.tally().tensors(), from),
                parameters(scan.tally(), from),
                Reading.known(scan.tally().bytes(), from),
                scan.tally().types(),
                architecture);
    }

    /// Counts the parameters: numbers that are values themselves. If most bytes are integers, several weights are
    /// packed into one of them, and the file does not state how many.
    private static Reading<Long> parameters(TensorTally tally, Provenance from) {
        long packed = 0;
        long all = 0;
        for (Checkpoint.TypeShare share : tally.types()) {
            all += share.bytes().unsigned();
            if (!SafeTensorsHeader.isFloating(share.type())) {
                packed += share.bytes().unsigned();
            }
        }
        return packed > all / 2
                ? Reading.unknown(UnknownReason.NOT_STATED, "the weights are packed; config.json would say how")
                : Reading.known(tally.elements(), from);
    }

    /// The positions of the tensors of a file. Writers put them in order, so the part from the start without holes is
    /// kept as one number; only tensors out of order are kept apart and sorted at the end.
    static final class DataLayout {
        private static final int FIRST_CAPACITY = 64;

        private final long start;
        private long contiguousEnd;
        private Extent[] others = new Extent[FIRST_CAPACITY];
        private int count;

        /// @param start required start of the first tensor
        DataLayout(long start) {
            this.start = start;
            this.contiguousEnd = start;
        }

        long start() {
            return start;
        }

        /// Adds a tensor: its first byte, and the one behind its last.
        void add(long from, long to) {
            if (from == contiguousEnd) {
                contiguousEnd = to;
            } else if (from != to || from < start) {
                if (count == others.length) {
                    others = Arrays.copyOf(others, count * 2);
                }
                others[count++] = new Extent(from, to);
            }
        }

        /// Checks that the tensors lie one behind the other, and returns their end.
        long requireContiguous(FileBytes file) {
            Arrays.sort(others, 0, count);
            for (int at = 0; at < count; at++) {
                Extent next = others[at];
                if (next.from < contiguousEnd) {
                    throw file.error(MISPLACED, "tensors lie over each other at byte " + next.from);
                }
                if (next.from > contiguousEnd) {
                    throw file.error(MISPLACED, "no tensor fills the bytes from " + contiguousEnd + " to " + next.from);
                }
                contiguousEnd = next.to;
            }
            return contiguousEnd;
        }

        private record Extent(long from, long to) implements Comparable<Extent> {
            @Override
            public int compareTo(Extent other) {
                return from == other.from ? Long.compare(to, other.to) : Long.compare(from, other.from);
            }
        }
    }
}
