// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The type of the elements of a buffer. All are little-endian, as every machine is that runs them.
///
/// @since 0.1
public enum DType {
    /// A byte that is 0 or not.
    BOOL(0, 1),
    /// 8 bits, unsigned.
    UINT8(1, 1),
    /// 8 bits, signed.
    INT8(2, 1),
    /// 16 bits, unsigned.
    UINT16(3, 2),
    /// 16 bits, signed.
    INT16(4, 2),
    /// 32 bits, unsigned.
    UINT32(5, 4),
    /// 32 bits, signed.
    INT32(6, 4),
    /// 64 bits, unsigned.
    UINT64(7, 8),
    /// 64 bits, signed.
    INT64(8, 8),
    /// IEEE 754 half precision.
    FLOAT16(9, 2),
    /// The upper half of a float.
    BFLOAT16(10, 2),
    /// IEEE 754 single precision.
    FLOAT32(11, 4),
    /// IEEE 754 double precision.
    FLOAT64(12, 8),
    /// 8 bits, 4 of them exponent. Is moved, never reduced.
    FLOAT8_E4M3(13, 1),
    /// 8 bits, 5 of them exponent. Is moved, never reduced.
    FLOAT8_E5M2(14, 1);

    private final int code;
    private final int bytes;
    private final int shift;

    DType(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
        this.shift = Integer.numberOfTrailingZeros(bytes);
    }

    /// The number that stands for it between processes. It never changes its meaning.
    int code() {
        return code;
    }

    /// Returns the number of bytes of an element.
    public int bytes() {
        return bytes;
    }

    /// Returns the binary logarithm of an element's size in bytes: all sizes are powers of two.
    int shift() {
        return shift;
    }

    /// Reports whether elements can be summed and compared. What cannot be reduced can still be moved.
    public boolean isReducible() {
        return !equals(FLOAT8_E4M3) && !equals(FLOAT8_E5M2);
    }

    /// Reports whether partial results of this type lose bits that a reduction in one go keeps: halves are summed as
    /// floats and rounded once.
    public boolean isNarrow() {
        return equals(FLOAT16) || equals(BFLOAT16);
    }

    /// The name that people write: `float32`, `bfloat16`, `float8-e4m3`.
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// The type of that name.
    public static Optional<DType> parse(String text) {
        return Arrays.stream(values()).filter(type -> type.text().equals(text)).findFirst();
    }

    /// The type of that code in a frame of another process, if there is one.
    static Optional<DType> ofCode(int code) {
        return Arrays.stream(values()).filter(type -> type.code == code).findFirst();
    }
}
