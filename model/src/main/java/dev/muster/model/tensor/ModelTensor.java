// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

/// A tensor that a model of an architecture has, or several alike.
///
/// @param role the tensor's role
/// @param layer the layer, from 0; -1 outside of layers
/// @param count number of such tensors: the experts of a layer; 1 for all others
/// @param active number of them that a token uses
/// @param rows its outputs
/// @param columns its inputs
public record ModelTensor(TensorRole role, int layer, long count, long active, long rows, long columns) {
    /// Outside of layers.
    public static final int NO_LAYER = -1;

    /// Returns the number of all elements.
    ///
    /// @throws ArithmeticException past 2^63-1
    public long elements() {
        return Math.multiplyExact(count, Math.multiplyExact(rows, columns));
    }

    /// Returns the number of elements that take part in one token.
    public long activeElements() {
        return Math.multiplyExact(active, Math.multiplyExact(rows, columns));
    }
}
