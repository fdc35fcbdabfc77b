// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.ModelKind;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageInputTest {
    private static final ModelCatalogue MODELS = ModelCatalogue.builtIn();

    /// As the processors of the models count them, in the text beside them: 37 x 37 and two delimiters, 4 x 4 tiles and
    /// a picture of all with a separator each, 3 x 3 tiles and a picture of all, and so on.
    @ParameterizedTest
    @CsvSource({
        "qwen2.5-vl-7b, 1024, 1024, 1371",
        "qwen2.5-vl-7b, 644, 644, 531",
        "qwen2.5-vl-7b, 8000, 8000, 16386",
        "qwen3-vl-8b, 1024, 1024, 1026",
        "qwen3-vl-8b, 1920, 1080, 2042",
        "qwen3.6-27b, 1024, 768, 770",
        "gemma-3-27b, 640, 480, 258",
        "gemma-3-27b, 4000, 3000, 258",
        "llama-4-scout, 336, 336, 145",
        "llama-4-scout, 1024, 1024, 2465",
        "llama-4-scout, 672, 336, 435",
        "internvl3-8b, 448, 448, 256",
        "internvl3-8b, 1024, 1024, 2560",
        "internvl3-8b, 896, 448, 768",
        "pixtral-12b, 1024, 1024, 4160",
        "pixtral-12b, 512, 512, 1056",
        "mistral-small-3.2-24b, 1540, 1540, 3080",
        "llava-1.5-7b, 1024, 768, 576"
    })
    void imagesMakeAsManyTokensAsProcessorsSay(String model, int width, int height, long tokens) {
        ImageInput one = input(model, 1, width, height);
        assertThat(one.tokens()).isEqualTo(tokens);
        assertThat(input(model, 3, width, height).tokens()).isEqualTo(3 * tokens);
    }

    /// A larger image never makes fewer tokens than one of half its sides, and never more than four times as many, but
    /// for delimiters and tiles.
    @Test
    void largerImagesMakeNoFewerTokens() {
        for (ModelEntry entry : MODELS.entries()) {
            if (entry.kind() != ModelKind.TEXT_GENERATION
                    || ImageInput.of(entry.toSummary(), 1, 64, 64).isEmpty()) {
                continue;
            }
            for (int side = 256; side <= 4096; side *= 2) {
                ImageInput small = input(entry.id(), 1, side, side);
                ImageInput large = input(entry.id(), 1, 2 * side, 2 * side);
                assertThat(large.tokens()).as(entry.id()).isGreaterThanOrEqualTo(small.tokens());
                assertThat(large.patches()).as(entry.id()).isGreaterThanOrEqualTo(small.patches());
                assertThat(large.encoder()).as(entry.id()).isPositive();
            }
        }
    }

    @Test
    void modelsThatReadNoImagesHaveNoRule() {
        assertThat(MODELS.entries())
                .filteredOn(entry -> entry.kind() == ModelKind.TEXT_GENERATION
                        && !entry.inputs().contains("image")
                        && ImageInput.of(entry.toSummary(), 1, 512, 512).isPresent())
                .extracting(ModelEntry::id)
                .isEmpty();
    }

    @Test
    void tokensOfImagesArePartOfThePrompt() {
        ImageInput images = input("gemma-3-27b", 2, 512, 512);
        ServingRequest request = ServingRequest.of(
                        MODELS.find("gemma-3-27b").orElseThrow().toSummary())
                .withTokens(100, 50)
                .withImages(images);
        assertThat(request.input()).isEqualTo(100 + 2 * 258);
        assertThat(request.withConcurrency(4).images()).isEqualTo(images);
    }

    private static ImageInput input(String model, int count, int width, int height) {
        return ImageInput.of(MODELS.find(model).orElseThrow().toSummary(), count, width, height)
                .orElseThrow();
    }
}
