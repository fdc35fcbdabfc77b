// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReadingTest {
    private static final Provenance TOOL =
            Provenance.of("nvidia-smi", Provenance.Method.COMMAND, Provenance.Confidence.MEASURED);

    @Test
    void aKnownFactHasItsValue() {
        Reading<Long> reading = Reading.known(4L, TOOL);
        assertThat(reading.isKnown()).isTrue();
        assertThat(reading.find()).contains(4L);
    }

    @ParameterizedTest
    @EnumSource
    void anUnknownFactHasAReasonAndNoValue(UnknownReason reason) {
        Reading<Long> reading = Reading.unknown(reason, "detail");
        assertThat(reading.isKnown()).isFalse();
        assertThat(reading.find()).isEmpty();
        assertThat(reading).isEqualTo(new Reading.Unknown<Long>(reason, "detail"));
    }

    @Test
    void conversionKeepsWhereAFactCameFrom() {
        assertThat(Reading.known(4L, TOOL).map(value -> "x" + value)).isEqualTo(Reading.known("x4", TOOL));
    }

    @Test
    void conversionKeepsWhyAFactIsMissing() {
        Reading<Long> reading = Reading.unknown(UnknownReason.TIMED_OUT, "after 5 s");
        assertThat(reading.map(_ -> {
                    throw new AssertionError("there is nothing to convert");
                }))
                .isEqualTo(Reading.unknown(UnknownReason.TIMED_OUT, "after 5 s"));
    }

    @Test
    void aFactNobodyAskedForIsUnknown() {
        assertThat(Reading.<Long>notProbed()).isEqualTo(Reading.unknown(UnknownReason.NOT_PROBED));
        assertThat(Reading.<String>notProbed()).isEqualTo(Reading.<Long>notProbed());
    }

    @Test
    void factsOfDifferentSourcesAreDifferent() {
        assertThat(Reading.known(4L, TOOL)).isNotEqualTo(Reading.known(4L, Provenance.GIVEN));
    }

    @Test
    void reasonsReadAsInDocuments() {
        assertThat(UnknownReason.values())
                .extracting(UnknownReason::text)
                .containsExactly(
                        "not-probed",
                        "not-supported",
                        "not-installed",
                        "not-permitted",
                        "timed-out",
                        "unreadable",
                        "conflicting",
                        "not-stated");
    }
}
