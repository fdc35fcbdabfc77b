// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Provenance;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelQuantization;
import dev.muster.model.catalogue.ModelCatalogue;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedFormatTest {
    @ParameterizedTest
    @CsvSource({
        "mxfp4, 4, mxfp4",
        "fp8, 8, fp8",
        "awq, 4, awq-int4",
        "gptq, 4, gptq-int4",
        "gptq, 8, int8",
        "gptq, 3, ",
        "bitsandbytes, 4, nf4",
        "Q4_K_M, 0, q4_k_m",
        "hqq, 4, "
    })
    void isTheNameThatPlannersKnow(String method, int bits, @Nullable String format) {
        ModelQuantization how = new ModelQuantization(
                method, bits == 0 ? OptionalInt.empty() : OptionalInt.of(bits), OptionalInt.empty());
        ModelArchitecture architecture =
                ModelArchitecture.builder().quantization(how, Provenance.GIVEN).build();
        assertThat(PublishedFormat.find(architecture))
                .isEqualTo(Optional.ofNullable(format).map(WeightFormat::parse));
    }

    @ParameterizedTest
    @CsvSource({"gpt-oss-120b, mxfp4", "deepseek-v3, fp8", "kimi-k2, fp8", "llama-3.1-8b, "})
    void isInTheCatalogue(String model, @Nullable String format) {
        ModelArchitecture architecture =
                ModelCatalogue.builtIn().find(model).orElseThrow().architecture();
        assertThat(PublishedFormat.find(architecture))
                .isEqualTo(Optional.ofNullable(format).map(WeightFormat::parse));
    }
}
