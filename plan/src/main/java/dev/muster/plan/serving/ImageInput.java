// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.core.Reading;
import dev.muster.model.ModelSummary;
import java.util.Optional;

/// The images of a request. Immutable.
///
/// @param count number of images
/// @param width width of each in pixels
/// @param height height of each in pixels
/// @param tokens tokens of all images in the prompt
/// @param patches patches that the encoder reads of all images
/// @param encoder parameters of the encoder
/// @param isCounted true if the encoder is counted with the model's weights
/// @since 0.3
public record ImageInput(int count, int width, int height, long tokens, long patches, long encoder, boolean isCounted) {
    /// No images.
    public static final ImageInput NONE = new ImageInput(0, 0, 0, 0, 0, 0, true);

    /// The side of images of which no size is given, in pixels.
    public static final int USUAL_SIDE = 1024;

    private static final int HALF_BYTES = 2;

    /// Returns images as a model reads them; empty if it is not known how.
    public static Optional<ImageInput> of(ModelSummary model, int count, int width, int height) {
        Reading<Long> vision = model.architecture().visionParameters();
        return ImageRules.find(model.name())
                .or(() -> model.architecture()
                        .family()
                        .find()
                        .filter(family -> vision.isKnown() || !family.endsWith("_text"))
                        .flatMap(ImageRules::find))
                .map(rules -> new ImageInput(
                        count,
                        width,
                        height,
                        count * rules.tokens(width, height),
                        count * rules.patches(width, height),
                        vision.find().orElse(rules.encoder()),
                        vision.isKnown()));
    }

    /// Reports whether there are images.
    public boolean isAny() {
        return count > 0;
    }

    /// Returns the bytes of the encoder's weights, in 16 bits, that are not counted with the model's.
    public double bytes() {
        return isCounted ? 0 : (double) encoder * HALF_BYTES;
    }

    /// Returns the operations of the encoder for all images.
    public double operations() {
        return 2.0 * encoder * patches;
    }
}
