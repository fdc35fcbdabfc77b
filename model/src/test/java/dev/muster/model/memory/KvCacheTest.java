// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.catalogue.ModelCatalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KvCacheTest {
    private static final ModelCatalogue MODELS = ModelCatalogue.builtIn();

    @ParameterizedTest
    @CsvSource({
        // Keys and values of 8 heads of 128 in 32 layers, 2 bytes each.
        "llama-3.1-8b, 131072, 17179869184",
        // Rank 512 and 64 rotated numbers in 61 layers, once for the KV cache.
        "deepseek-v3, 1000, 70272000",
        // Every other layer keeps 4096 tokens.
        "gemma-2-2b, 8192, 654311424",
        // Every layer keeps 4096 tokens.
        "mistral-7b, 100000, 536870912"
    })
    void countsAllLayersAndTheirWindows(String model, long tokens, long bytes) {
        assertThat(cache(model).ofTokens(tokens)).isEqualTo(Bytes.of(bytes));
    }

    @Test
    void isUnknownWithoutHeads() {
        assertThat(KvCache.of(ModelArchitecture.UNKNOWN, 2).isKnown()).isFalse();
    }

    private static KvCache cache(String model) {
        return KvCache.of(MODELS.find(model).orElseThrow().architecture(), 2)
                .find()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"llama-3.1-8b", "gemma-2-2b", "deepseek-v3", "qwen3.5-27b", "gpt-oss-20b"})
    void whatFitsIsTheMostThatFits(String model) {
        KvCache cache = cache(model);
        Bytes memory = Bytes.ofMib(1500);
        long tokens = cache.tokensIn(memory, 1L << 40);
        assertThat(cache.ofTokens(tokens)).isLessThanOrEqualTo(memory);
        assertThat(cache.ofTokens(tokens + 1)).isGreaterThan(memory);
    }
}
