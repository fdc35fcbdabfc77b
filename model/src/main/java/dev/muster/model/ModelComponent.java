// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import java.util.Map;

/// A part of a model that computes by itself: the encoder or the decoder of an encoder-decoder model, a vision tower,
/// the denoiser of a diffusion model. Immutable.
///
/// @param role the task of the part
/// @param name the name in the model's files, such as `text_encoder_2`
/// @param parameters number of its parameters
/// @param figures figures of a pass; absent ones are 0
/// @since 0.3
public record ModelComponent(Role role, String name, long parameters, Map<PassFigure, Long> figures) {
    /// Copies the figures.
    public ModelComponent {
        figures = Map.copyOf(figures);
    }

    /// Returns a figure; 0 if it is not stated.
    public long figure(PassFigure figure) {
        return figures.getOrDefault(figure, 0L);
    }

    /// The tasks of parts.
    public enum Role {
        /// Reads a prompt for another part.
        TEXT_ENCODER,
        /// Reads text, or speech, and answers with vectors.
        ENCODER,
        /// Writes tokens one after the other.
        DECODER,
        /// Reads images.
        VISION,
        /// Reads sound.
        AUDIO,
        /// Turns noise into a latent image or video in steps.
        DENOISER,
        /// Turns a latent image or video into pixels, or tokens into sound.
        RENDERER
    }

    /// Figures of a pass of a part.
    public enum PassFigure {
        /// Multiplications with weights for each token: the parameters that a token passes.
        TOKEN("token"),
        /// Multiplications for each pair of tokens: twice the width of all heads of all layers.
        PAIR("pair"),
        /// Layers, each with some kernels to launch.
        LAYERS("layers"),
        /// Width of the residual stream.
        WIDTH("width"),
        /// Attention heads.
        HEADS("heads"),
        /// Keys and values that a decoder keeps for each token, over all layers.
        CACHE("cache"),
        /// Side of the square of pixels that a token stands for; 0 if the part reads no images.
        PATCH("patch"),
        /// Side of the images that the part is made for, in pixels.
        SIDE("side"),
        /// Height of the images that the part is made for, if they are not square.
        HEIGHT("height"),
        /// Tokens that become one for the next part.
        MERGE("merge"),
        /// Frames of a video that a token stands for, besides the first frame.
        STRIDE("stride"),
        /// Frames of a video that the part is made for.
        FRAMES("frames"),
        /// Tokens for each second of sound.
        RATE("rate"),
        /// Seconds of sound of a pass, to which shorter ones are filled up.
        WINDOW("window"),
        /// Tokens beside those of pixels and sound.
        EXTRA("extra"),
        /// Multiplications with weights for each of those, if they pass others than the tokens of pixels.
        ONCE("once"),
        /// Denoising steps by default.
        STEPS("steps"),
        /// Passes for each step: two with classifier-free guidance.
        PASSES("passes"),
        /// 1 if a token attends to those before it only.
        CAUSAL("causal");

        private final String label;

        PassFigure(String label) {
            this.label = label;
        }

        /// Returns the name behind that of the part in the table of families, as in `encoder_token`.
        public String label() {
            return label;
        }
    }
}
