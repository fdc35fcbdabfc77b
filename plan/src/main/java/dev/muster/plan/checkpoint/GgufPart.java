package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.plan.checkpoint.CheckpointException.Code.TOO_LARGE;

import java.nio.file.Path;

/// One GGUF file: a whole model or a part of one. Its tensors went to the tally.
///
/// @param file the file
/// @param version the format's version
/// @param metadata what its keys say
/// @param tensors how many tensors it holds
/// @param hasEmbedding whether the input embedding is among them
/// @param hasOutput whether the output embedding is among them
record GgufPart(
        Checkpoint.File file,
        int version,
        GgufMetadata metadata,
        long tensors,
        boolean hasEmbedding,
        boolean hasOutput) {
    private static final long DEFAULT_ALIGNMENT = 32;
    private static final long LEAST_ALIGNMENT = 8;
    private static final long MOST_ALIGNMENT = 1 << 16;

    /// Reads the header of a file.
    static GgufPart read(Path path, Scan scan) {
        try (FileBytes file = FileBytes.open(path, scan.deadline())) {
            GgufInput input = GgufInput.open(file, scan.limits());
            long tensors = readCount(input, scan.limits().tensors(), GgufTensorReader.entryBytes(input));
            long entries = readCount(input, scan.limits().entries(), GgufMetadataReader.entryBytes(input));
            GgufMetadata metadata = GgufMetadataReader.read(input, entries);
            GgufTensorReader table = new GgufTensorReader(input, scan.tally(), alignment(input, metadata));
            table.read(tensors);
            scan.tally().requireDistinct(file);
            return new GgufPart(
                    file.describe(), input.version(), metadata, tensors, table.hasEmbedding(), table.hasOutput());
        }
    }

    private static long readCount(GgufInput input, int limit, int bytesEach) {
        long count = input.readCount();
        if (count > limit) {
            throw input.error(TOO_LARGE, "there are " + count + " entries; at most " + limit + " are read");
        }
        input.requireHeader(count * bytesEach);
        return count;
    }

    private static long alignment(GgufInput input, GgufMetadata metadata) {
        GgufValue value = metadata.find(GgufKey.ALIGNMENT).orElse(null);
        if (value == null) {
            return DEFAULT_ALIGNMENT;
        }
        if (value instanceof GgufValue.Whole whole
                && whole.type() == GgufValueType.UINT32
                && Long.bitCount(whole.value()) == 1
                && whole.value() >= LEAST_ALIGNMENT
                && whole.value() <= MOST_ALIGNMENT) {
            return whole.value();
        }
        throw input.error(
                MALFORMED,
                GgufKey.ALIGNMENT + " has to be a power of two from " + LEAST_ALIGNMENT + " to " + MOST_ALIGNMENT
                        + " in 32 bits");
    }
}
