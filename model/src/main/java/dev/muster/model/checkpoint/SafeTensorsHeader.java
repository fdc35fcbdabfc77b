// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.DUPLICATE;
import static dev.muster.model.checkpoint.CheckpointException.Code.MALFORMED;
import static dev.muster.model.checkpoint.CheckpointException.Code.MISPLACED;
import static dev.muster.model.checkpoint.CheckpointException.Code.TOO_LARGE;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNKNOWN_TYPE;

import dev.muster.model.Tensor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The JSON header of one safetensors file, tensor by tensor. Headers of published checkpoints have tens of
/// megabytes, so this reads bytes as they come and creates no objects for a tensor. Confined to one thread.
final class SafeTensorsHeader {
    private static final byte[] METADATA = bytes("__metadata__");

    /// The keys as every writer writes them, in the order of their bits.
    private static final List<byte[]> KEYS =
            List.of(bytes("\"dtype\":"), bytes("\"shape\":"), bytes("\"data_offsets\":"));

    private static final List<Tensor.Type> TYPES = new ArrayList<>();
    /// The names of types as they stand in a header.
    private static final List<byte[]> QUOTED_TYPES = new ArrayList<>();

    // Source: the format's description, release 0.7. Those of most checkpoints come first.
    static {
        add(16, "BF16", "F16");
        add(32, "F32");
        add(8, "F8_E4M3", "F8_E5M2", "F8_E8M0");
        add(4, "F4");
        add(6, "F6_E2M3", "F6_E3M2");
        add(8, "U8", "I8", "BOOL");
        add(32, "I32", "U32");
        add(64, "I64", "U64", "F64", "C64");
        add(16, "I16", "U16");
    }

    private static final int HAS_TYPE = 1;
    private static final int HAS_SHAPE = 2;
    private static final int HAS_OFFSETS = 4;
    private static final int HAS_ALL = HAS_TYPE | HAS_SHAPE | HAS_OFFSETS;

    private final FileBytes file;
    private final TensorTally tally;
    private final SafeTensorsReader.DataLayout layout;
    private final HeaderText text;
    private final Set<Long> metadataKeys = new HashSet<>();
    private final long[] shape = new long[CheckpointReader.Limits.RANK];
    private boolean metadataSeen;

    private Tensor.@Nullable Type type;
    private int rank;
    private long from;
    private long to;

    SafeTensorsHeader(FileBytes file, long length, TensorTally tally, SafeTensorsReader.DataLayout layout) {
        this.file = file;
        this.tally = tally;
        this.layout = layout;
        this.text = new HeaderText(file, length);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void add(int bits, String... names) {
        for (String name : names) {
            TYPES.add(Tensor.Type.plain(name, bits));
            QUOTED_TYPES.add(bytes('"' + name + '"'));
        }
    }

    /// Reports whether numbers of a type are weights themselves, not several packed into one.
    static boolean isFloating(Tensor.Type type) {
        char first = type.name().charAt(0);
        return first == 'F' || first == 'C' || type.name().equals("BF16");
    }

    void read() {
        text.refill();
        if (text.peek() != '{') {
            throw text.error(MALFORMED, "the header does not begin with a brace");
        }
        text.expect('{');
        boolean first = true;
        while (text.nextMember(first)) {
            first = false;
            text.refill();
            long hash = text.readName();
            if (text.isName(METADATA)) {
                readMetadata();
            } else {
                readTensor(hash, tally.hasSink() ? text.name() : METADATA);
            }
        }
        text.requireEnd();
    }

    private void readMetadata() {
        if (metadataSeen) {
            throw text.error(DUPLICATE, "__metadata__ occurs twice");
        }
        metadataSeen = true;
        text.expect(':');
        text.expect('{');
        boolean first = true;
        while (text.nextMember(first)) {
            first = false;
            long hash = text.skipLongString();
            if (!metadataKeys.add(hash)) {
                throw text.error(DUPLICATE, "a key of __metadata__ occurs twice");
            }
            text.expect(':');
            text.skipLongString();
        }
    }

    private void readTensor(long hash, byte[] name) {
        text.expect(':');
        text.expect('{');
        type = null;
        int seen = 0;
        while (text.nextMember(seen == 0)) {
            int field = nextField();
            if ((seen & field) != 0) {
                throw text.error(DUPLICATE, "a tensor has the same key twice");
            }
            seen |= field;
            switch (field) {
                case HAS_TYPE -> readType();
                case HAS_SHAPE -> readShape();
                default -> readOffsets();
            }
        }
        Tensor.Type known = type;
        if (seen != HAS_ALL || known == null) {
            throw text.error(MALFORMED, "a tensor needs dtype, shape and data_offsets");
        }
        addTensor(hash, name, known);
    }

    private void addTensor(long hash, byte[] name, Tensor.Type known) {
        long elements = elements();
        long bytes = bytes(elements, known);
        if (to < from || to - from != bytes) {
            throw text.error(
                    MISPLACED,
                    "a tensor of " + elements + " numbers of type " + known.name() + " takes " + bytes
                            + " bytes and lies from " + from + " to " + to);
        }
        long start = layout.start() + from;
        if (to > file.size() - layout.start()) {
            throw text.error(
                    MISPLACED,
                    "a tensor ends at byte " + to + " of the data, which has " + (file.size() - layout.start()));
        }
        layout.add(start, layout.start() + to);
        tally.count(file, hash, known, elements, bytes);
        tally.handOn(file.name(), name, known, shape, rank, elements, bytes, start);
    }

    private long elements() {
        long elements = 1;
        for (int at = 0; at < rank; at++) {
            if (Math.multiplyHigh(elements, shape[at]) != 0 || elements * shape[at] < 0) {
                throw text.error(TOO_LARGE, "a tensor has more than 2^63-1 numbers");
            }
            elements *= shape[at];
        }
        return elements;
    }

    private long bytes(long elements, Tensor.Type known) {
        int bits = known.blockBits();
        if (Math.multiplyHigh(elements, bits) != 0 || elements * bits < 0) {
            throw text.error(TOO_LARGE, "a tensor has more than 2^63-1 bits");
        }
        long all = elements * bits;
        if (all % Byte.SIZE != 0) {
            throw text.error(MALFORMED, "a tensor does not end at a whole byte");
        }
        return all / Byte.SIZE;
    }

    /// Returns the next key of a tensor and its colon. Writers put no blanks there; text with blanks takes the slow
    /// path.
    private int nextField() {
        for (int at = 0; at < KEYS.size(); at++) {
            if (text.take(KEYS.get(at))) {
                return 1 << at;
            }
        }
        String key = new String(text.readString(), StandardCharsets.UTF_8);
        text.expect(':');
        return switch (key) {
            case "dtype" -> HAS_TYPE;
            case "shape" -> HAS_SHAPE;
            case "data_offsets" -> HAS_OFFSETS;
            default -> throw text.error(MALFORMED, "a tensor has dtype, shape and data_offsets, and nothing else");
        };
    }

    private void readType() {
        text.peek();
        for (int at = 0; at < TYPES.size(); at++) {
            if (text.take(QUOTED_TYPES.get(at))) {
                type = TYPES.get(at);
                return;
            }
        }
        String name = new String(text.readString(), StandardCharsets.UTF_8);
        for (Tensor.Type known : TYPES) {
            if (known.name().equals(name)) {
                type = known;
                return;
            }
        }
        throw text.error(UNKNOWN_TYPE, "the type of a tensor is not known");
    }

    private void readShape() {
        text.expect('[');
        rank = 0;
        while (text.nextItem(rank == 0)) {
            if (rank == shape.length) {
                throw text.error(TOO_LARGE, "a tensor has more than " + shape.length + " dimensions");
            }
            shape[rank++] = text.readNumber();
        }
    }

    private void readOffsets() {
        text.expect('[');
        requireItem(text.nextItem(true));
        from = text.readNumber();
        requireItem(text.nextItem(false));
        to = text.readNumber();
        requireItem(!text.nextItem(false));
    }

    private void requireItem(boolean right) {
        if (!right) {
            throw text.error(MALFORMED, "data_offsets are two numbers");
        }
    }
}
