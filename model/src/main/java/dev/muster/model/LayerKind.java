// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

/// The parts of a layer: a mixer, which looks at other tokens, and a block, which works on each token by itself. Most
/// layers have both; some hybrids have layers of either alone.
///
/// @param mixer the part that looks at other tokens
/// @param block the part that works on each token by itself
/// @since 0.1
public record LayerKind(Mixer mixer, Block block) {
    /// The part of a layer that looks at other tokens.
    public enum Mixer {
        /// Attention to all tokens.
        FULL_ATTENTION("full"),
        /// Attention to the tokens of a sliding window.
        LOCAL_ATTENTION("sliding"),
        /// Attention to the tokens of the same chunk.
        CHUNKED_ATTENTION("chunked"),
        /// Attention to all tokens, of which a compressed form is kept (multi-head latent attention).
        LATENT_ATTENTION("latent"),
        /// Attention to the tokens that an indexer chooses; all of them are kept, and the indexer's keys too.
        SPARSE_ATTENTION("sparse"),
        /// A state of constant size that every token changes: Mamba, linear attention, a short convolution.
        STATE("state"),
        /// Attention to all tokens beside a state.
        ATTENTION_AND_STATE("full and state"),
        /// No mixer.
        NONE("none");

        private final String label;

        Mixer(String label) {
            this.label = label;
        }

        /// Returns the name in tables and documents.
        public String label() {
            return label;
        }

        /// Reports whether it keeps a KV cache.
        public boolean isAttention() {
            return this != STATE && this != NONE;
        }

        /// Reports whether it keeps the KV cache of all tokens.
        public boolean looksAtAll() {
            return isAttention() && !isBounded();
        }

        /// Reports whether it keeps the KV cache of a window or chunk alone.
        public boolean isBounded() {
            return this == LOCAL_ATTENTION || this == CHUNKED_ATTENTION;
        }

        /// Reports whether it keeps a state.
        public boolean keepsState() {
            return this == STATE || this == ATTENTION_AND_STATE;
        }
    }

    /// The part of a layer that works on each token by itself.
    public enum Block {
        /// One feed-forward block.
        DENSE("dense"),
        /// Routed experts and shared ones.
        EXPERTS("experts"),
        /// No block.
        NONE("none");

        private final String label;

        Block(String label) {
            this.label = label;
        }

        /// Returns the name in tables and documents.
        public String label() {
            return label;
        }
    }

    /// Returns the number of parts: 2 with mixer and block, else 1.
    public int parts() {
        return (mixer == Mixer.NONE ? 0 : 1) + (block == Block.NONE ? 0 : 1);
    }

    /// Returns the layer that a letter of Nemotron's patterns stands for.
    ///
    /// @throws IllegalArgumentException if it stands for none
    static LayerKind ofLetter(char letter) {
        return switch (letter) {
            case 'M' -> new LayerKind(Mixer.STATE, Block.NONE);
            case '*' -> new LayerKind(Mixer.FULL_ATTENTION, Block.NONE);
            case 'E' -> new LayerKind(Mixer.NONE, Block.EXPERTS);
            case '-' -> new LayerKind(Mixer.NONE, Block.DENSE);
            default ->
                throw new IllegalArgumentException(
                        "a layer is M (state), * (attention), E (experts) or - (block), not '" + letter + "'");
        };
    }
}
