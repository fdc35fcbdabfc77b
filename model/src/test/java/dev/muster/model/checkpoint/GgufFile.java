// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.model.tensor.GgufType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A builder of GGUF files: valid ones, unless a test adds an error.
final class GgufFile {
    private final int version;
    private final ByteOrder order;
    private final List<byte[]> entries = new ArrayList<>();
    private final List<byte[]> tensors = new ArrayList<>();
    private String magic = "GGUF";
    private @Nullable Integer versionField;
    private @Nullable Long entryCount;
    private @Nullable Long tensorCount;
    private long alignment = 32;
    private long weights;

    private GgufFile(int version, ByteOrder order) {
        this.version = version;
        this.order = order;
    }

    static GgufFile create() {
        return of(3);
    }

    static GgufFile of(int version) {
        return new GgufFile(version, ByteOrder.LITTLE_ENDIAN);
    }

    static GgufFile bigEndian() {
        return new GgufFile(3, ByteOrder.BIG_ENDIAN);
    }

    /// Returns a small model of two layers.
    GgufFile llama() {
        return text("general.architecture", "llama")
                .text("general.name", "Tiny")
                .number("llama.block_count", 2)
                .number("llama.embedding_length", 64)
                .number("llama.attention.head_count", 4)
                .number("llama.attention.head_count_kv", 2)
                .texts("tokenizer.ggml.tokens", "<s>", "a", "b")
                .number("general.file_type", 15)
                .tensor("token_embd.weight", GgufType.F32, 3, 64)
                .tensor("blk.0.attn_q.weight", GgufType.Q8_0, 64, 64)
                .tensor("output_norm.weight", GgufType.F32, 5);
    }

    GgufFile magic(String text) {
        magic = text;
        return this;
    }

    GgufFile versionField(int field) {
        versionField = field;
        return this;
    }

    GgufFile entryCount(long count) {
        entryCount = count;
        return this;
    }

    GgufFile tensorCount(long count) {
        tensorCount = count;
        return this;
    }

    GgufFile alignment(long bytes) {
        align(bytes);
        return number("general.alignment", bytes);
    }

    /// Aligns tensors from now on, without stating it in the header.
    GgufFile align(long bytes) {
        alignment = bytes;
        return this;
    }

    GgufFile number(String key, long value) {
        return number(key, GgufInput.ValueType.UINT32, value);
    }

    GgufFile number(String key, GgufInput.ValueType type, long value) {
        return entry(out -> out.text(key).type(type).number(type.bytes(), value));
    }

    GgufFile text(String key, String value) {
        return entry(out -> out.text(key).type(GgufInput.ValueType.STRING).text(value));
    }

    GgufFile texts(String key, String... values) {
        return entry(out -> {
            out.text(key)
                    .type(GgufInput.ValueType.ARRAY)
                    .type(GgufInput.ValueType.STRING)
                    .count(values.length);
            for (String value : values) {
                out.text(value);
            }
        });
    }

    GgufFile numbers(String key, GgufInput.ValueType type, long... values) {
        return entry(out -> {
            out.text(key).type(GgufInput.ValueType.ARRAY).type(type).count(values.length);
            for (long value : values) {
                out.number(type.bytes(), value);
            }
        });
    }

    GgufFile entry(Consumer<GgufBytes> writer) {
        entries.add(written(writer));
        return this;
    }

    /// Adds a tensor behind the others.
    ///
    /// @param shape its dimensions, slowest first
    GgufFile tensor(String name, GgufType type, long... shape) {
        long elements = 1;
        for (long dimension : shape) {
            elements *= dimension;
        }
        long bytes = elements / type.blockElements() * type.blockBytes();
        weights = padded();
        long offset = weights;
        weights += bytes;
        return tensor(out -> {
            out.text(name).int32(shape.length);
            for (int at = shape.length - 1; at >= 0; at--) {
                out.count(shape[at]);
            }
            out.int32(type.id()).int64(offset);
        });
    }

    GgufFile tensor(Consumer<GgufBytes> writer) {
        tensors.add(written(writer));
        return this;
    }

    /// Returns the position of the next tensor.
    long padded() {
        return Math.ceilDiv(weights, alignment) * alignment;
    }

    private byte[] written(Consumer<GgufBytes> writer) {
        GgufBytes out = new GgufBytes(version, order);
        writer.accept(out);
        return out.bytes();
    }

    byte[] header() {
        GgufBytes out = new GgufBytes(version, order);
        out.raw(magic.getBytes(StandardCharsets.ISO_8859_1)).int32(versionField == null ? version : versionField);
        out.count(tensorCount == null ? tensors.size() : tensorCount);
        out.count(entryCount == null ? entries.size() : entryCount);
        entries.forEach(out::raw);
        tensors.forEach(out::raw);
        return out.bytes();
    }

    /// Returns the whole file; its weights are zeros, and nothing follows the last.
    byte[] bytes() {
        GgufBytes out = new GgufBytes(version, order).raw(header());
        return weights == 0
                ? out.bytes()
                : out.pad(alignment).raw(new byte[(int) weights]).bytes();
    }

    Path write(Path path) {
        return write(path, bytes());
    }

    static Path write(Path path, byte[] bytes) {
        try {
            return Files.write(path, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Checkpoint read(Path folder) {
        return read(write(folder.resolve("model.gguf")), CheckpointReader.Limits.DEFAULT);
    }

    static Checkpoint read(Path path, CheckpointReader.Limits limits) {
        return GgufReader.read(path, Scan.start(limits, null));
    }
}
