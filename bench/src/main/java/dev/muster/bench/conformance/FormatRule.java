// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.conformance;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.model.ModelFormat;
import dev.muster.model.memory.GgufFormat;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/// ai-hwaccel's facts about a model file, from its first bytes alone: it reads [#WINDOW] of them, trusts them, and
/// leaves out what lies beyond. For exact answers see [dev.muster.model.checkpoint.CheckpointReader].
///
/// @param format the format
/// @param parameters sum over all shapes, as an unsigned number
/// @param dtype type of the first tensor by name, or of the whole file
/// @param tensors number of tensors
/// @param formatVersion the format's version
/// @since 0.1
record FormatRule(
        ModelFormat format,
        OptionalLong parameters,
        Optional<String> dtype,
        OptionalLong tensors,
        OptionalLong formatVersion) {
    /// The number of bytes of a file that are read.
    public static final int WINDOW = 16_384;

    private static final long MAX_SAFE_TENSORS_HEADER = 104_857_600;
    private static final int GGUF_MAGIC = 0x4655_4747;
    private static final int GGUF_HEADER = 24;
    private static final int GGUF_SHORTEST = 20;
    private static final int GGUF_UINT32 = 4;
    private static final byte[] GGUF_FILE_TYPE = "general.file_type".getBytes(StandardCharsets.US_ASCII);
    private static final int ONNX_SHORTEST = 4;
    private static final int ONNX_IR_VERSION = 0x08;
    private static final int ONNX_NEWEST = 20;
    private static final BigInteger UNSIGNED_MAX =
            BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE);
    private static final int ZIP_MAGIC = 0x0403_4B50;

    /// Reads the first bytes of a file; empty if they are of no known format.
    ///
    /// @throws IllegalArgumentException at a GGUF file that ends inside its header, where ai-hwaccel aborts
    public static Optional<FormatRule> look(byte[] first) {
        return safeTensors(first).or(() -> gguf(first)).or(() -> onnx(first)).or(() -> pyTorch(first));
    }

    private static ByteBuffer numbers(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static FormatRule only(ModelFormat format) {
        return new FormatRule(
                format, OptionalLong.empty(), Optional.empty(), OptionalLong.empty(), OptionalLong.empty());
    }

    private static Optional<FormatRule> safeTensors(byte[] first) {
        if (first.length < Long.BYTES) {
            return Optional.empty();
        }
        long length = numbers(first).getLong(0);
        if (length <= 0 || length > MAX_SAFE_TENSORS_HEADER) {
            return Optional.empty();
        }
        int end = (int) Math.min(Long.BYTES + length, first.length);
        byte[] body = Arrays.copyOfRange(first, Long.BYTES, end);
        if (firstVisible(body) != '{' || !isUtf8(body)) {
            return Optional.empty();
        }
        if (body.length < length) {
            return Optional.of(only(ModelFormat.SAFE_TENSORS));
        }
        try {
            return Optional.of(
                    JsonValue.parse(body) instanceof JsonObject(var members)
                            ? ofTensors(members)
                            : only(ModelFormat.SAFE_TENSORS));
        } catch (DocumentException _) {
            return Optional.of(only(ModelFormat.SAFE_TENSORS));
        }
    }

    private static int firstVisible(byte[] text) {
        for (byte b : text) {
            if (b != ' ' && b != '\t' && b != '\n' && b != '\f' && b != '\r') {
                return b;
            }
        }
        return -1;
    }

    private static boolean isUtf8(byte[] text) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
            return true;
        } catch (CharacterCodingException _) {
            return false;
        }
    }

    private static FormatRule ofTensors(Map<String, JsonValue> members) {
        Optional<String> dtype = Optional.empty();
        BigInteger sum = BigInteger.ZERO;
        long count = 0;
        for (Map.Entry<String, JsonValue> member : new TreeMap<>(members).entrySet()) {
            if (member.getKey().equals("__metadata__")) {
                continue;
            }
            count++;
            if (dtype.isEmpty() && member.getValue().find("dtype").orElse(null) instanceof JsonString(String name)) {
                dtype = Optional.of(name);
            }
            if (member.getValue().find("shape").orElse(null) instanceof JsonArray(List<JsonValue> shape)) {
                sum = sum.add(product(shape)).min(UNSIGNED_MAX);
            }
        }
        return new FormatRule(
                ModelFormat.SAFE_TENSORS,
                sum.signum() == 0 ? OptionalLong.empty() : OptionalLong.of(sum.longValue()),
                dtype,
                OptionalLong.of(count),
                OptionalLong.empty());
    }

    /// Returns the product of a shape, 0 without numbers; past 2^64 it wraps around, as in ai-hwaccel.
    private static BigInteger product(List<JsonValue> shape) {
        BigInteger product = shape.isEmpty() ? BigInteger.ZERO : BigInteger.ONE;
        for (JsonValue dimension : shape) {
            if (dimension instanceof JsonNumber number
                    && number.isWhole()
                    && !number.text().startsWith("-")) {
                BigInteger exact = new BigInteger(number.text());
                product = exact.compareTo(UNSIGNED_MAX) > 0
                        ? product
                        : product.multiply(exact).and(UNSIGNED_MAX);
            }
        }
        return product;
    }

    private static Optional<FormatRule> gguf(byte[] first) {
        ByteBuffer bytes = numbers(first);
        if (first.length < GGUF_SHORTEST || bytes.getInt(0) != GGUF_MAGIC) {
            return Optional.empty();
        }
        if (first.length < GGUF_HEADER) {
            throw new IllegalArgumentException("the GGUF file ends inside its header of " + GGUF_HEADER + " bytes");
        }
        long tensors = bytes.getLong(Long.BYTES);
        return Optional.of(new FormatRule(
                ModelFormat.GGUF,
                OptionalLong.empty(),
                ggufType(first),
                tensors >>> Integer.SIZE == 0 ? OptionalLong.of(tensors) : OptionalLong.empty(),
                OptionalLong.of(Integer.toUnsignedLong(bytes.getInt(Integer.BYTES)))));
    }

    private static Optional<String> ggufType(byte[] first) {
        ByteBuffer bytes = numbers(first);
        int at = GGUF_HEADER;
        while (at + GGUF_FILE_TYPE.length <= first.length) {
            int end = at + GGUF_FILE_TYPE.length;
            if (Arrays.equals(first, at, end, GGUF_FILE_TYPE, 0, GGUF_FILE_TYPE.length)) {
                boolean typed = end + Long.BYTES <= first.length && bytes.getInt(end) == GGUF_UINT32;
                return typed ? Optional.of(ggufName(bytes.getInt(end + Integer.BYTES))) : Optional.empty();
            }
            at++;
        }
        return Optional.empty();
    }

    private static String ggufName(int type) {
        // These are the numbers that ai-hwaccel has names for, llama.cpp's own.
        boolean named = (type >= 0 && type <= 3) || (type >= 7 && type <= 20);
        return named ? GgufFormat.find(type).orElseThrow().name() : "GGUF_TYPE_" + Integer.toUnsignedString(type);
    }

    private static Optional<FormatRule> onnx(byte[] first) {
        if (first.length < ONNX_SHORTEST || first[0] != ONNX_IR_VERSION) {
            return Optional.empty();
        }
        long version = 0;
        int at = 1;
        int shift = 0;
        boolean more = true;
        while (more) {
            if (at == first.length || shift >= Long.SIZE) {
                return Optional.empty();
            }
            version |= (long) (first[at] & 0x7F) << shift;
            more = first[at] < 0;
            shift += 7;
            at++;
        }
        if (version <= 0 || version > ONNX_NEWEST || at == first.length) {
            return Optional.empty();
        }
        int tag = first[at] & 0xFF;
        if ((tag & 7) > 2 || tag >> 3 == 0) {
            return Optional.empty();
        }
        return Optional.of(new FormatRule(
                ModelFormat.ONNX,
                OptionalLong.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.of(version)));
    }

    private static Optional<FormatRule> pyTorch(byte[] first) {
        boolean zip = first.length >= Integer.BYTES && numbers(first).getInt(0) == ZIP_MAGIC;
        return zip ? Optional.of(only(ModelFormat.PYTORCH)) : Optional.empty();
    }
}
