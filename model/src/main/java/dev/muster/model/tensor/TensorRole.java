// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

/// What a tensor of a model is for.
public enum TensorRole {
    /// A row for each token.
    EMBEDDING,
    /// A row for each position.
    POSITIONS,
    /// From the last layer to the vocabulary.
    OUTPUT,
    /// Queries.
    QUERY,
    /// Keys.
    KEY,
    /// Values.
    VALUE,
    /// From the heads back to the residual stream.
    ATTENTION_OUTPUT,
    /// Down to the rank of latent attention.
    LATENT_DOWN,
    /// Up from the rank of latent attention.
    LATENT_UP,
    /// Into a state: keys, queries, values and gates.
    STATE_IN,
    /// From a state back to the residual stream.
    STATE_OUT,
    /// The gate of a feed-forward block.
    GATE,
    /// Into a feed-forward block.
    UP,
    /// Out of a feed-forward block.
    DOWN,
    /// Which expert a token goes to.
    ROUTER,
    /// Everything of the parts that see or hear.
    VISION,
    /// Norms, biases, single numbers: everything of one dimension.
    VECTOR
}
