// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.core.Provenance.Confidence;
import dev.muster.core.Provenance.Method;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ProvenanceTest {
    private static final Instant NOON = Instant.parse("2026-11-15T12:00:00Z");
    private static final Provenance TOOL = Provenance.of("nvidia-smi", Method.COMMAND, Confidence.MEASURED);

    @Test
    void namesItsSource() {
        assertThat(TOOL.source()).isEqualTo("nvidia-smi");
        assertThat(TOOL.method()).isEqualTo(Method.COMMAND);
        assertThat(TOOL.confidence()).isEqualTo(Confidence.MEASURED);
        assertThat(TOOL.observedAt()).isEmpty();
        assertThat(TOOL).hasToString("nvidia-smi (command, measured)");
    }

    @Test
    void aTimeMakesAnotherProvenance() {
        Provenance timed = TOOL.withObservedAt(NOON);
        assertThat(timed.observedAt()).contains(NOON);
        assertThat(TOOL.observedAt()).as("the first stays as it was").isEmpty();
        assertThat(timed).isNotEqualTo(TOOL).isEqualTo(TOOL.withObservedAt(NOON));
        assertThat(timed).hasSameHashCodeAs(TOOL.withObservedAt(NOON));
    }

    @Test
    void equalityLooksAtEverything() {
        assertThat(TOOL)
                .isEqualTo(Provenance.of("nvidia-smi", Method.COMMAND, Confidence.MEASURED))
                .isNotEqualTo(Provenance.of("rocm-smi", Method.COMMAND, Confidence.MEASURED))
                .isNotEqualTo(Provenance.of("nvidia-smi", Method.NATIVE, Confidence.MEASURED))
                .isNotEqualTo(Provenance.of("nvidia-smi", Method.COMMAND, Confidence.ASSUMED))
                .isNotEqualTo("nvidia-smi");
    }

    @Test
    void aSourceHasAName() {
        assertThatIllegalArgumentException().isThrownBy(() -> Provenance.of(" ", Method.FILE, Confidence.STATED));
    }

    @Test
    void whatTheCallerGaveIsStatedNotMeasured() {
        assertThat(Provenance.GIVEN.method()).isEqualTo(Method.GIVEN);
        assertThat(Provenance.GIVEN.confidence()).isEqualTo(Confidence.STATED);
    }
}
