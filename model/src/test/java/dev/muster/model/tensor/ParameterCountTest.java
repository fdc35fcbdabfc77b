// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Provenance;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import org.junit.jupiter.api.Test;

class ParameterCountTest {
    @Test
    void isUnknownWhereANumberIsMissing() {
        ModelArchitecture incomplete = ModelArchitecture.builder()
                .dimension(ModelDimension.LAYERS, 32, Provenance.GIVEN)
                .build();
        assertThat(ParameterCount.of(incomplete).isKnown()).isFalse();
        assertThat(ParameterCount.of(ModelArchitecture.UNKNOWN).isKnown()).isFalse();
    }

    @Test
    void isUnknownPastTheLargestNumber() {
        ModelArchitecture.ArchitectureBuilder huge = ModelArchitecture.builder().tiedEmbeddings(true, Provenance.GIVEN);
        for (ModelDimension dimension : ModelDimension.values()) {
            huge.dimension(dimension, 1L << 40, Provenance.GIVEN);
        }
        huge.dimension(ModelDimension.LAYERS, 2, Provenance.GIVEN);
        assertThat(ParameterCount.of(huge.build()).isKnown()).isFalse();
    }
}
