// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.model.Tensor;
import org.jspecify.annotations.Nullable;

/// The types of tensors in ONNX, with the field of a `TensorProto` that holds their numbers if they are not raw
/// bytes. Source: `onnx.proto`, IR version 13 of 2025-11-06.
enum OnnxType {
    FLOAT(32, OnnxField.FLOAT_DATA),
    UINT8(8, OnnxField.INT32_DATA),
    INT8(8, OnnxField.INT32_DATA),
    UINT16(16, OnnxField.INT32_DATA),
    INT16(16, OnnxField.INT32_DATA),
    INT32(32, OnnxField.INT32_DATA),
    INT64(64, OnnxField.INT64_DATA),
    /// Its bytes are those of the texts.
    STRING(8, OnnxField.STRING_DATA),
    BOOL(8, OnnxField.INT32_DATA),
    FLOAT16(16, OnnxField.INT32_DATA),
    DOUBLE(64, OnnxField.DOUBLE_DATA),
    UINT32(32, OnnxField.UINT64_DATA),
    UINT64(64, OnnxField.UINT64_DATA),
    COMPLEX64(64, OnnxField.FLOAT_DATA),
    COMPLEX128(128, OnnxField.DOUBLE_DATA),
    BFLOAT16(16, OnnxField.INT32_DATA),
    FLOAT8E4M3FN(8, OnnxField.INT32_DATA),
    FLOAT8E4M3FNUZ(8, OnnxField.INT32_DATA),
    FLOAT8E5M2(8, OnnxField.INT32_DATA),
    FLOAT8E5M2FNUZ(8, OnnxField.INT32_DATA),
    UINT4(4, OnnxField.INT32_DATA),
    INT4(4, OnnxField.INT32_DATA),
    FLOAT4E2M1(4, OnnxField.INT32_DATA),
    FLOAT8E8M0(8, OnnxField.INT32_DATA),
    UINT2(2, OnnxField.INT32_DATA),
    INT2(2, OnnxField.INT32_DATA);

    /// The types by their codes in `TensorProto.DataType`, which count from 1.
    private static final OnnxType[] BY_CODE = values();

    private final int bits;
    /// The field of a `TensorProto` for the numbers of this type.
    final int dataField;
    final Tensor.Type type;

    OnnxType(int bits, int dataField) {
        this.bits = bits;
        this.dataField = dataField;
        this.type = Tensor.Type.plain(name(), bits);
    }

    /// Returns the type of a code of `TensorProto.DataType`; null if there is none.
    static @Nullable OnnxType find(long code) {
        return code > 0 && code <= BY_CODE.length ? BY_CODE[(int) code - 1] : null;
    }

    /// Reports whether numbers of the type are values themselves; `FLOAT8E8M0` only scales others.
    boolean isFloating() {
        return switch (this) {
            case FLOAT, FLOAT16, DOUBLE, BFLOAT16, COMPLEX64, COMPLEX128 -> true;
            case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT4E2M1 -> true;
            case UINT8, INT8, UINT16, INT16, INT32, INT64, UINT32, UINT64, UINT4, INT4, UINT2, INT2 -> false;
            case STRING, BOOL, FLOAT8E8M0 -> false;
        };
    }

    /// Reports whether numbers of the type are shapes and indices, or quantized weights.
    boolean isWhole() {
        return !isFloating() && this != STRING && this != BOOL && this != FLOAT8E8M0;
    }

    /// Reports whether numbers of the type are too small for shapes and indices.
    boolean isSmallWhole() {
        return isWhole() && bits <= Byte.SIZE;
    }

    /// Returns the raw bytes of a number of elements.
    ///
    /// @throws ArithmeticException past 2^63-1
    long bytes(long elements) {
        return bits < Byte.SIZE
                ? Math.ceilDiv(elements, Byte.SIZE / bits)
                : Math.multiplyExact(elements, bits / Byte.SIZE);
    }

    /// Returns the entries of the type's data field for a number of elements: complex numbers take two, and numbers
    /// below eight bits share one as they share a byte.
    ///
    /// @throws ArithmeticException past 2^63-1
    long entries(long elements) {
        if (this == COMPLEX64 || this == COMPLEX128) {
            return Math.multiplyExact(elements, 2L);
        }
        return bits < Byte.SIZE ? bytes(elements) : elements;
    }
}
