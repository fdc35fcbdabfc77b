package dev.muster.plan.checkpoint;

import org.jspecify.annotations.Nullable;

/// One entry of a GGUF file's table of tensors as nearly all are: little-endian, with counts of 64 bits, wholly
/// in the window, and right. Anything else is left to [GgufTensorReader], which reads all forms and says what is
/// wrong. Here the bytes are looked at where they lie, after one look at how many there are.
final class GgufCompactEntry {
    /// What stands behind a name at most: the number of dimensions, four of them, the type and the place.
    private static final int MOST_BEHIND_NAME =
            Integer.BYTES + GgufTensorReader.RANK * Long.BYTES + Integer.BYTES + Long.BYTES;

    /// What nearly every entry takes: the window is refilled when less is left.
    private static final int USUAL_BYTES = 1 << 10;

    private final GgufInput input;
    private final long[] shape;
    private int nameFrom;
    private int nameTo;
    private int rank;
    private long elements;
    private @Nullable GgufType type;
    private long bytes;
    private long offset;

    /// @param shape takes the dimensions
    GgufCompactEntry(GgufInput input, long[] shape) {
        this.input = input;
        this.shape = shape;
    }

    /// Reads the next entry and goes behind it; goes nowhere and returns false when it has another form.
    boolean read() {
        FileBytes file = input.file();
        long left = Math.min(file.fill(USUAL_BYTES), input.headerLeft());
        if (left < Long.BYTES || !input.isUsual()) {
            return false;
        }
        byte[] window = file.window();
        int start = file.windowAt();
        long length = LittleEndian.getLong(window, start);
        if (length < 0 || length > left - Long.BYTES - MOST_BEHIND_NAME) {
            return false;
        }
        nameFrom = start + Long.BYTES;
        nameTo = nameFrom + (int) length;
        rank = LittleEndian.getInt(window, nameTo);
        int at = nameTo + Integer.BYTES;
        if (rank < 0 || rank > GgufTensorReader.RANK || !readShape(window, at)) {
            return false;
        }
        at += rank * Long.BYTES;
        offset = LittleEndian.getLong(window, at + Integer.BYTES);
        if (!readType(LittleEndian.getInt(window, at))) {
            return false;
        }
        file.skipInWindow(at + Integer.BYTES + Long.BYTES - start);
        return true;
    }

    private boolean readShape(byte[] window, int start) {
        long product = 1;
        for (int at = 0; at < rank; at++) {
            long size = LittleEndian.getLong(window, start + at * Long.BYTES);
            shape[rank - 1 - at] = size;
            if (size <= 0 || Math.multiplyHigh(product, size) != 0 || product * size < 0) {
                return false;
            }
            product *= size;
        }
        elements = product;
        return true;
    }

    private boolean readType(int id) {
        GgufType known = GgufType.find(id).orElse(null);
        if (known == null) {
            return false;
        }
        type = known;
        long row = rank == 0 ? 1 : shape[rank - 1];
        // Blocks are powers of two, and dividing takes longer than all else here.
        int block = known.blockElements();
        long blocks = elements >> Integer.numberOfTrailingZeros(block);
        bytes = blocks * known.blockBytes();
        return (row & (block - 1)) == 0 && Math.multiplyHigh(blocks, known.blockBytes()) == 0 && bytes >= 0;
    }

    /// Where the name begins in the file's window.
    int nameFrom() {
        return nameFrom;
    }

    /// Behind the name in the file's window.
    int nameTo() {
        return nameTo;
    }

    int rank() {
        return rank;
    }

    long elements() {
        return elements;
    }

    @Nullable
    GgufType type() {
        return type;
    }

    long bytes() {
        return bytes;
    }

    long offset() {
        return offset;
    }
}
