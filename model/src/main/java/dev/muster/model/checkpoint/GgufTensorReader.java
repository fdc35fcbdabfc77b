// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.MISPLACED;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.model.checkpoint.CheckpointException.Code.TRUNCATED;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNKNOWN_TYPE;

import dev.muster.model.checkpoint.CheckpointException.Code;
import dev.muster.model.tensor.GgufType;
import java.nio.charset.StandardCharsets;

/// Reads the table of tensors of a GGUF file into a tally. Confined to one thread.
final class GgufTensorReader {
    static final int RANK = 4;

    private static final long EMBEDDING_HASH = hash("token_embd.weight");
    private static final long OUTPUT_HASH = hash("output.weight");

    private final GgufInput input;
    private final TensorTally tally;
    private final long alignment;
    private final long[] shape = new long[RANK];
    private boolean hasEmbedding;
    private boolean hasOutput;
    private long weightsAt;
    private boolean located;
    private boolean cut;
    private long end;

    private byte[] name = {};
    private int rank;
    private long elements;
    private GgufType type = GgufType.F32;
    private long bytes;
    private long offset;

    GgufTensorReader(GgufInput input, TensorTally tally, long alignment) {
        this.input = input;
        this.tally = tally;
        this.alignment = alignment;
    }

    private static long hash(String name) {
        return NameHash.of(name.getBytes(StandardCharsets.US_ASCII));
    }

    /// Returns the smallest size of a tensor's entry: the length of its name, the number of its dimensions, its type
    /// and its place.
    static int entryBytes(GgufInput input) {
        return input.countBytes() + Integer.BYTES + Integer.BYTES + Long.BYTES;
    }

    /// Reads all tensors. Places count from the table's end, which is known only behind it: if places are wanted, or
    /// if not all tensors are in the file, the table is read again. Keeping a table of a million tensors would cost
    /// more memory than reading it again costs time.
    void read(long tensors) {
        long start = input.file().position();
        for (long tensor = 0; tensor < tensors; tensor++) {
            readEntry();
            if (!cut) {
                count();
            }
        }
        weightsAt = aligned(input.file().position());
        located = true;
        if (cut || tally.hasSink() || end > input.file().size() - weightsAt) {
            input.file().seek(start);
            cut = false;
            end = 0;
            for (long tensor = 0; tensor < tensors; tensor++) {
                readEntry();
                handOn();
            }
        }
    }

    boolean hasEmbedding() {
        return hasEmbedding;
    }

    boolean hasOutput() {
        return hasOutput;
    }

    private void count() {
        long hash = NameHash.of(name);
        hasEmbedding |= hash == EMBEDDING_HASH;
        hasOutput |= hash == OUTPUT_HASH;
        tally.count(input.file(), hash, type.tensorType(), elements, bytes);
    }

    private void handOn() {
        tally.handOn(input.file().name(), name, type.tensorType(), shape, rank, elements, bytes, weightsAt + offset);
    }

    private void readEntry() {
        name = input.readName();
        rank = readRank();
        elements = readShape();
        type = readType();
        bytes = product(elements / type.blockElements(), type.blockBytes());
        offset = input.file().readLong();
        place();
    }

    /// Reads the number of dimensions, from 0 to 4. A tensor without dimensions is a single number, as in llama.cpp.
    private int readRank() {
        int dimensions = input.file().readInt();
        if (dimensions < 0 || dimensions > RANK) {
            throw input.error(
                    MALFORMED, "a tensor of " + Integer.toUnsignedString(dimensions) + " dimensions; at most " + RANK);
        }
        return dimensions;
    }

    /// Reads the dimensions, which the file holds fastest first.
    private long readShape() {
        long product = 1;
        for (int at = rank - 1; at >= 0; at--) {
            shape[at] = input.readCount();
            if (shape[at] == 0) {
                throw error(MALFORMED, "has a dimension of 0");
            }
            product = product(product, shape[at]);
        }
        return product;
    }

    private GgufType readType() {
        int id = input.file().readInt();
        GgufType known = GgufType.find(id).orElseThrow(() -> input.error(UNKNOWN_TYPE, GgufType.unknown(id)));
        long row = rank == 0 ? 1 : shape[rank - 1];
        if (row % known.blockElements() != 0) {
            throw error(
                    MALFORMED,
                    "has rows of " + row + " numbers, and " + known + " comes in blocks of " + known.blockElements());
        }
        return known;
    }

    private long product(long left, long right) {
        try {
            return Math.multiplyExact(left, right);
        } catch (ArithmeticException _) {
            throw error(TOO_LARGE, "is larger than 2^63-1");
        }
    }

    /// Checks that a tensor begins at the end of the one before and lies in the file. While the start of the first is
    /// unknown, a tensor that cannot be complete only notes that the next pass will find the first such.
    private void place() {
        if (cut) {
            return;
        }
        long expected = aligned(end);
        if (offset != expected) {
            throw error(MISPLACED, "begins at " + Long.toUnsignedString(offset) + " and should begin at " + expected);
        }
        long left = input.file().size() - weightsAt;
        if (offset <= left && bytes <= left - offset) {
            end = offset + bytes;
        } else if (located) {
            throw error(TRUNCATED, "has " + bytes + " bytes, which are not all in the file");
        } else {
            cut = true;
        }
    }

    private long aligned(long position) {
        return (position + alignment - 1) & -alignment;
    }

    private CheckpointException error(Code code, String what) {
        return input.error(code, "the tensor '" + new String(name, StandardCharsets.UTF_8) + "' " + what);
    }
}
