package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.MISPLACED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.plan.checkpoint.CheckpointException.Code.TRUNCATED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.UNKNOWN_TYPE;

import dev.muster.plan.checkpoint.CheckpointException.Code;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads the table of tensors of a GGUF file into a tally. Confined to one thread.
final class GgufTensorReader {
    private static final int RANK = 4;
    private static final byte[] EMBEDDING = "token_embd.weight".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OUTPUT = "output.weight".getBytes(StandardCharsets.US_ASCII);

    private final GgufInput input;
    private final TensorTally tally;
    private final long alignment;
    private final long[] shape = new long[RANK];
    private byte[] name = {};
    private boolean hasEmbedding;
    private boolean hasOutput;
    private long weightsAt;
    private long nextOffset;

    GgufTensorReader(GgufInput input, TensorTally tally, long alignment) {
        this.input = input;
        this.tally = tally;
        this.alignment = alignment;
    }

    /// The fewest bytes of a tensor: the length of its name, the number of its dimensions, its type and its place.
    static int entryBytes(GgufInput input) {
        return input.countBytes() + Integer.BYTES + Integer.BYTES + Long.BYTES;
    }

    /// Reads all tensors. The table is walked twice, since places count from its end: keeping a table of a million
    /// tensors would take more memory than reading it again takes time.
    void read(long tensors) {
        long start = input.file().position();
        for (long tensor = 0; tensor < tensors; tensor++) {
            skipEntry();
        }
        weightsAt = aligned(input.file().position());
        input.file().seek(start);
        for (long tensor = 0; tensor < tensors; tensor++) {
            readEntry();
        }
    }

    boolean hasEmbedding() {
        return hasEmbedding;
    }

    boolean hasOutput() {
        return hasOutput;
    }

    private void skipEntry() {
        input.skipName();
        int rank = readRank();
        input.skip(((long) rank * input.countBytes()) + Integer.BYTES + Long.BYTES);
    }

    private void readEntry() {
        name = input.readName();
        hasEmbedding |= Arrays.equals(name, EMBEDDING);
        hasOutput |= Arrays.equals(name, OUTPUT);
        int rank = readRank();
        long elements = readShape(rank);
        GgufType type = readType(rank);
        long bytes = bytes(type, elements);
        long offset = input.file().readLong();
        place(offset, bytes);
        tally.add(
                input.file(),
                name,
                0,
                name.length,
                type.tensorType(),
                shape,
                rank,
                elements,
                bytes,
                weightsAt + offset);
    }

    /// From 0 to 4. A tensor without dimensions is a single number, as llama.cpp reads it too.
    private int readRank() {
        int rank = input.file().readInt();
        if (rank < 0 || rank > RANK) {
            throw input.error(
                    MALFORMED, "a tensor of " + Integer.toUnsignedString(rank) + " dimensions; at most " + RANK);
        }
        return rank;
    }

    /// Reads the dimensions, which the file holds fastest first.
    private long readShape(int rank) {
        long elements = 1;
        for (int at = rank - 1; at >= 0; at--) {
            shape[at] = input.readCount();
            if (shape[at] == 0) {
                throw error(MALFORMED, "has a dimension of 0");
            }
            elements = product(elements, shape[at]);
        }
        return elements;
    }

    private GgufType readType(int rank) {
        int id = input.file().readInt();
        GgufType type = GgufType.find(id).orElseThrow(() -> input.error(UNKNOWN_TYPE, GgufType.unknown(id)));
        long row = rank == 0 ? 1 : shape[rank - 1];
        if (row % type.blockElements() != 0) {
            throw error(
                    MALFORMED,
                    "has rows of " + row + " numbers, and " + type + " comes in blocks of " + type.blockElements());
        }
        return type;
    }

    private long bytes(GgufType type, long elements) {
        return product(elements / type.blockElements(), type.blockBytes());
    }

    private long product(long left, long right) {
        try {
            return Math.multiplyExact(left, right);
        } catch (ArithmeticException _) {
            throw error(TOO_LARGE, "is larger than 2^63-1");
        }
    }

    /// Checks that a tensor begins where the one before ends, and lies in the file.
    private void place(long offset, long bytes) {
        if (offset != nextOffset) {
            throw error(MISPLACED, "begins at " + Long.toUnsignedString(offset) + " and should begin at " + nextOffset);
        }
        long left = input.file().size() - weightsAt;
        if (offset > left || bytes > left - offset) {
            throw error(TRUNCATED, "has " + bytes + " bytes, which are not all in the file");
        }
        nextOffset = aligned(offset + bytes);
    }

    private long aligned(long position) {
        return (position + alignment - 1) & -alignment;
    }

    private CheckpointException error(Code code, String what) {
        return input.error(code, "the tensor '" + new String(name, StandardCharsets.UTF_8) + "' " + what);
    }
}
