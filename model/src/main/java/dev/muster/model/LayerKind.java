// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

/// What a layer of a model is made of: what looks at other tokens, and what works on each token by itself. Most layers
/// have both; some hybrids have layers of either alone.
///
/// @param mixer what looks at other tokens
/// @param block what works on each token by itself
/// @since 0.1
public record LayerKind(Mixer mixer, Block block) {
    /// What looks at other tokens.
    public enum Mixer {
        /// Attention to all tokens.
        FULL_ATTENTION("full"),
        /// Attention to the tokens of a window that slides.
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
        /// Nothing.
        NONE("none");

        private final String label;

        Mixer(String label) {
            this.label = label;
        }

        /// The word for people and documents.
        public String label() {
            return label;
        }

        /// Whether it keeps a KV cache.
        public boolean isAttention() {
            return this != STATE && this != NONE;
        }

        /// Whether it keeps the KV cache of all tokens.
        public boolean looksAtAll() {
            return isAttention() && !isBounded();
        }

        /// Whether it keeps the KV cache of a window or chunk alone.
        public boolean isBounded() {
            return this == LOCAL_ATTENTION || this == CHUNKED_ATTENTION;
        }

        /// Whether it keeps a state.
        public boolean keepsState() {
            return this == STATE || this == ATTENTION_AND_STATE;
        }
    }

    /// What works on each token by itself.
    public enum Block {
        /// One feed-forward block.
        DENSE("dense"),
        /// Experts that tokens are sent to, and shared ones.
        EXPERTS("experts"),
        /// Nothing.
        NONE("none");

        private final String label;

        Block(String label) {
            this.label = label;
        }

        /// The word for people and documents.
        public String label() {
            return label;
        }
    }

    /// How many of mixer and block it has: two, or one.
    public int parts() {
        return (mixer == Mixer.NONE ? 0 : 1) + (block == Block.NONE ? 0 : 1);
    }

    /// The layer that a letter of a pattern stands for, in the words of Nemotron's configurations.
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
