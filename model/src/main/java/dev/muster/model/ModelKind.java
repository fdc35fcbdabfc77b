// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import java.util.Locale;

/// The task that a model was made for. Muster plans for models that generate text; of the others it knows sizes.
///
/// @since 0.3
public enum ModelKind {
    /// A decoder that writes text, perhaps about images and sound.
    TEXT_GENERATION("a text generation model"),
    /// A model that turns a text into a vector.
    EMBEDDING("an embedding model"),
    /// A model that rates or classifies texts.
    RERANKER("a reranker or classifier"),
    /// An encoder that was trained to fill in missing words.
    TEXT_ENCODER("a text encoder"),
    /// An encoder with a decoder, such as T5.
    ENCODER_DECODER("an encoder-decoder model"),
    /// A model that turns speech into text.
    SPEECH_RECOGNITION("a speech recognition model"),
    /// A model that turns text into speech or music.
    TEXT_TO_SPEECH("a text-to-speech model"),
    /// A model that turns images into vectors or labels.
    VISION_ENCODER("a vision encoder"),
    /// A model that makes images.
    IMAGE_GENERATION("an image generation model"),
    /// A model that makes videos.
    VIDEO_GENERATION("a video generation model");

    private final String title;

    ModelKind(String title) {
        this.title = title;
    }

    /// Returns the name in tables and documents, such as `speech-recognition`.
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Returns the name in sentences, such as "a speech recognition model".
    public String title() {
        return title;
    }

    /// Reports whether the model has other parts than a stack of layers over a text.
    public boolean isTrainedOtherwise() {
        return switch (this) {
            case TEXT_GENERATION, EMBEDDING, RERANKER, TEXT_ENCODER -> false;
            case ENCODER_DECODER,
                    SPEECH_RECOGNITION,
                    TEXT_TO_SPEECH,
                    VISION_ENCODER,
                    IMAGE_GENERATION,
                    VIDEO_GENERATION -> true;
        };
    }

    /// Reports whether the model has a layer that chooses the next token.
    public boolean hasHead() {
        return this != EMBEDDING;
    }
}
