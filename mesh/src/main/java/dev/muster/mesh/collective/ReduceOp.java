// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The operator of a reduction over the elements of all ranks. Ranks are taken in ascending order, so the result is the
/// same on all of them, bit for bit.
///
/// Integers wrap around. Halves are reduced as floats and rounded once. Of values that are not numbers the result is
/// not a number, also for the least and the greatest, and the least of the two zeros is the negative one. Truth
/// values: the sum and the greatest are "any", the product and the least are "all".
///
/// @since 0.1
public enum ReduceOp {
    /// The sum.
    SUM(0),
    /// The product.
    PRODUCT(1),
    /// The least.
    MIN(2),
    /// The greatest.
    MAX(3),
    /// The sum, divided by the number of ranks; of integers it is taken without wrapping and rounded towards zero.
    AVERAGE(4);

    private final int code;

    ReduceOp(int code) {
        this.code = code;
    }

    /// The number that stands for it between processes. It never changes its meaning.
    int code() {
        return code;
    }

    /// The name that people write: `sum`, `product`, `min`, `max`, `average`.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The operator of that name.
    public static Optional<ReduceOp> parse(String text) {
        return Arrays.stream(values()).filter(op -> op.text().equals(text)).findFirst();
    }

    /// The operator of that code in a frame of another process, if there is one.
    static Optional<ReduceOp> ofCode(int code) {
        return Arrays.stream(values()).filter(op -> op.code == code).findFirst();
    }

    /// Reports whether elements of that type can be reduced so.
    public boolean accepts(DType type) {
        return type.isReducible() && !(this.equals(AVERAGE) && type.equals(DType.BOOL));
    }
}
