// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import java.util.Map;

/// One layer of a model: its kind, and the numbers in which it differs from the architecture's other layers.
/// Immutable.
///
/// @param kind mixer and block
/// @param own the numbers that are its own, such as its heads or the width of its block
/// @since 0.1
public record ModelLayer(LayerKind kind, Map<ModelDimension, Long> own) {
    public ModelLayer {
        own = own.isEmpty() ? Map.of() : Map.copyOf(own);
    }

    /// Returns a layer with no numbers of its own.
    public static ModelLayer of(LayerKind kind) {
        return new ModelLayer(kind, Map.of());
    }
}
