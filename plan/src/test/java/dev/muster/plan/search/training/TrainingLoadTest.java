// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.training.TrainingMethod;
import org.junit.jupiter.api.Test;

class TrainingLoadTest {
    private static TrainingLoad lora(String model) {
        ModelShape shape = ModelShape.of(
                        ModelCatalogue.builtIn().find(model).orElseThrow().architecture())
                .orElseThrow();
        return TrainingLoad.of(TrainingMethod.parse("lora"), shape, 16);
    }

    /// 32 layers; queries and output 4096 wide, keys and values 1024; three matrices of 4096 by 14336.
    @Test
    void countsAdaptersOfADenseModel() {
        double attention = 2 * (4096 + 4096) + 2 * (4096 + 1024);
        double block = 3 * (4096 + 14336);
        assertThat(lora("llama-3.1-8b").adapterNumbers()).isEqualTo(16 * 32 * (attention + block));
        assertThat(lora("llama-3.1-8b").expertAdapterNumbers()).isZero();
    }

    /// 48 layers of 128 experts, three matrices of 2048 by 768 each; no layer has a dense block.
    @Test
    void givesEachExpertAdaptersOfItsOwn() {
        double attention = 2 * (2048 + 4096) + 2 * (2048 + 512);
        assertThat(lora("qwen3-30b-a3b").adapterNumbers()).isEqualTo(16 * 48 * attention);
        assertThat(lora("qwen3-30b-a3b").expertAdapterNumbers()).isEqualTo(16.0 * 48 * 128 * 3 * (2048 + 768));
    }
}
