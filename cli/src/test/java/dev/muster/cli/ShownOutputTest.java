// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShownOutputTest {
    private static final List<String> OUTPUT =
            List.of("qwen3-32b", "  TPOT  35.6 ms", "  TTFT  992.6 ms (595.4 to 1529.1)", "done");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "...",
                "qwen3-32b|...",
                "...|  TPOT  35.6 ms|...|done",
                "qwen3-32b|...|  TTFT  992.6 ms ...|done",
                "qwen3-32b|  TPOT  35.6 ms|  TTFT  992.6 ms (595.4 to 1529.1)|done"
            })
    void linesMayBeLeftOutWhereThePageSaysSo(String shown) {
        assertThat(shown(shown).matches(OUTPUT)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "qwen3-32b",
                "done",
                "qwen3-32b|done",
                "...|  TPOT  35.7 ms|...",
                "...|done|  TPOT  35.6 ms|...",
                "...|  TTFT  992.6 ms|...",
                "...|  TTFT  993 ...|..."
            })
    void whatIsNotPrintedLikeThatIsNoMatch(String shown) {
        assertThat(shown(shown).matches(OUTPUT)).isFalse();
    }

    @Test
    void sameLinesAreTakenOfANewOutput() {
        List<String> output = List.of(
                "qwen3-32b",
                "  new   1",
                "  TPOT  40 ms",
                "",
                "  TTFT  1001.2 ms (600.0 to 1600.0)",
                "another",
                "done");

        ShownOutput renewed =
                shown("qwen3-32b|  TPOT  35.6 ms|  TTFT  992.6 ms ...|done").of(output);

        assertThat(renewed).isEqualTo(shown("qwen3-32b|...|  TPOT  40 ms||  TTFT  1001.2 m ...|...|done"));
        assertThat(renewed.matches(output)).isTrue();
        assertThat(renewed.of(output)).isEqualTo(renewed);
    }

    @Test
    void aLineWithoutALikeIsNamed() {
        assertThatThrownBy(() -> shown("qwen3-32b|  costs  1 USD").of(OUTPUT))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("no line like '  costs  1 USD' is left of\nqwen3-32b\n");
    }

    private static ShownOutput shown(String lines) {
        return new ShownOutput(lines.isEmpty() ? List.of() : List.of(lines.split("\\|")));
    }
}
