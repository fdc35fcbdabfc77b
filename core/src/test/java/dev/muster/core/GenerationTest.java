// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GenerationTest {
    @ParameterizedTest
    @CsvSource({"V4, V4, v4, 32, 192.0", "V5E, V5e, v5e, 16, 204.8", "V5P, V5p, v5p, 95, 409.6"})
    void tpuVersionsCarryTheConstantsOfTheReference(
            TpuVersion version, String name, String display, long gib, double gigabytesPerSecond) {
        assertThat(version.referenceName()).isEqualTo(name);
        assertThat(version.display()).isEqualTo(display);
        assertThat(version.memoryPerChip()).isEqualTo(Bytes.ofGib(gib));
        assertThat(version.interconnectPerChip()).isEqualTo(new Bandwidth(gigabytesPerSecond));
        assertThat(version.isInReference()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"GAUDI2, Gaudi2, 96", "GAUDI3, Gaudi3, 128"})
    void gaudiGenerationsCarryTheConstantsOfTheReference(GaudiGeneration generation, String display, long gib) {
        assertThat(generation.display()).isEqualTo(display);
        assertThat(generation.memory()).isEqualTo(Bytes.ofGib(gib));
        assertThat(generation.isInReference()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"INFERENTIA, Inferentia, 16", "TRAINIUM, Trainium, 32"})
    void neuronChipsCarryTheConstantsOfTheReference(NeuronChip chip, String display, long gibPerCore) {
        assertThat(chip.display()).isEqualTo(display);
        assertThat(chip.memoryPerCore()).isEqualTo(Bytes.ofGib(gibPerCore));
        assertThat(chip.isInReference()).isTrue();
    }

    @Test
    void theReferenceKnowsThreeTpusTwoGaudisAndTwoNeuronChips() {
        assertThat(Arrays.stream(TpuVersion.values()).filter(TpuVersion::isInReference))
                .hasSize(3);
        assertThat(Arrays.stream(GaudiGeneration.values()).filter(GaudiGeneration::isInReference))
                .hasSize(2);
        assertThat(Arrays.stream(NeuronChip.values()).filter(NeuronChip::isInReference))
                .hasSize(2);
    }

    @Test
    void everyGenerationHasANameOfItsOwnAndMemory() {
        assertThat(TpuVersion.values()).extracting(TpuVersion::display).doesNotHaveDuplicates();
        assertThat(GaudiGeneration.values())
                .extracting(GaudiGeneration::display)
                .doesNotHaveDuplicates();
        assertThat(NeuronChip.values()).extracting(NeuronChip::display).doesNotHaveDuplicates();
        assertThat(TpuVersion.values())
                .noneMatch(version -> version.memoryPerChip().isZero());
        assertThat(GaudiGeneration.values())
                .noneMatch(generation -> generation.memory().isZero());
        assertThat(NeuronChip.values()).noneMatch(chip -> chip.memoryPerCore().isZero());
    }
}
