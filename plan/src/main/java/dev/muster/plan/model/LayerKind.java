package dev.muster.plan.model;

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
        FULL_ATTENTION,
        /// Attention to the tokens of a window.
        LOCAL_ATTENTION,
        /// A state of constant size that every token changes: Mamba, linear attention.
        STATE,
        /// Nothing.
        NONE
    }

    /// What works on each token by itself.
    public enum Block {
        /// One feed-forward block.
        DENSE,
        /// Experts that tokens are sent to, and shared ones.
        EXPERTS,
        /// Nothing.
        NONE
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
