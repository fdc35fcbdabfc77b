// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import java.util.Map;

/// One layer of a model: what it is made of, and the numbers in which it differs from what the architecture says of
/// layers in general. Immutable.
///
/// @param kind what it is made of
/// @param own the numbers that are its own, such as its heads or the width of its block
/// @since 0.1
public record ModelLayer(LayerKind kind, Map<ModelDimension, Long> own) {
    /// Copies the numbers.
    public ModelLayer {
        own = own.isEmpty() ? Map.of() : Map.copyOf(own);
    }

    /// A layer with no numbers of its own.
    public static ModelLayer of(LayerKind kind) {
        return new ModelLayer(kind, Map.of());
    }
}
