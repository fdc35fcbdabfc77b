// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

/// A tensor that a model of an architecture has, or several alike.
///
/// @param role what it is for
/// @param layer the layer, from 0; -1 outside of layers
/// @param count how many there are: the experts of a layer; 1 for all others
/// @param active how many of them a token passes
/// @param rows its outputs
/// @param columns its inputs
public record ModelTensor(TensorRole role, int layer, long count, long active, long rows, long columns) {
    /// Outside of layers.
    public static final int NO_LAYER = -1;

    /// All numbers.
    ///
    /// @throws ArithmeticException past 2^63-1
    public long elements() {
        return Math.multiplyExact(count, Math.multiplyExact(rows, columns));
    }

    /// The numbers that take part in one token.
    public long activeElements() {
        return Math.multiplyExact(active, Math.multiplyExact(rows, columns));
    }
}
