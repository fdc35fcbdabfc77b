// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

/// The role of a tensor in a model.
public enum TensorRole {
    /// The embedding: a row for each token.
    EMBEDDING,
    /// Embeddings of each layer of its own: a row for each token, over all layers.
    LAYER_EMBEDDING,
    /// Position embeddings: a row for each position.
    POSITIONS,
    /// The output projection, from the last layer to the vocabulary.
    OUTPUT,
    /// Queries.
    QUERY,
    /// Keys.
    KEY,
    /// Values.
    VALUE,
    /// The output projection of attention, from the heads back to the residual stream.
    ATTENTION_OUTPUT,
    /// The projection down to the rank of latent attention.
    LATENT_DOWN,
    /// The projection up from the rank of latent attention.
    LATENT_UP,
    /// The input projection of a state: keys, queries, values and gates.
    STATE_IN,
    /// The output projection of a state, back to the residual stream.
    STATE_OUT,
    /// The gate of a feed-forward block.
    GATE,
    /// The up projection of a feed-forward block.
    UP,
    /// The down projection of a feed-forward block.
    DOWN,
    /// The router that chooses experts for a token.
    ROUTER,
    /// All tensors of the parts that read images.
    VISION,
    /// All tensors of the parts that read sound.
    AUDIO,
    /// All tensors of a part that computes by itself, such as an encoder beside a decoder.
    PART,
    /// Norms, biases, single numbers: all tensors of one dimension.
    VECTOR
}
