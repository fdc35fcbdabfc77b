// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class GapTest {
    private static final Reading<Integer> SIGNAL = Reading.unknown(UnknownReason.NOT_SUPPORTED, "ended by a signal");

    private static Reading<Integer> code(int value) {
        return Reading.known(value, Provenance.GIVEN);
    }

    @Test
    void readsAsInTheReference() {
        assertThat(new Gap.ToolNotFound("nvidia-smi").display()).isEqualTo("nvidia-smi: tool not found on $PATH");
        assertThat(new Gap.ToolFailed("hl-smi", code(9), "no device\nmore").display())
                .isEqualTo("hl-smi: exited with code 9 — no device");
        assertThat(new Gap.ToolFailed("hl-smi", SIGNAL, "").display())
                .isEqualTo("hl-smi: exited with signal — (no output)");
        assertThat(new Gap.Timeout("vulkaninfo", 5).display()).isEqualTo("vulkaninfo: timed out after 5.0s");
        assertThat(new Gap.Unparsable("cuda", "expected 6+ fields").display())
                .isEqualTo("cuda: parse error — expected 6+ fields");
        assertThat(new Gap.FileUnreadable("/sys/x", "denied").display()).isEqualTo("sysfs /sys/x: denied");
        assertThat(new Gap.Unexplained("nvidia-smi").display()).isEqualTo("nvidia-smi: reported without detail");
    }

    @Test
    void namesTheProbeThatFailed() {
        assertThat(new Gap.ProbeFailed("cuda", "out of memory").display())
                .isEqualTo("cuda: the probe failed — out of memory");
    }

    @Test
    void aLimitIsFinite() {
        for (double wrong : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new Gap.Timeout("vulkaninfo", wrong));
        }
    }

    @Test
    void showsTheFirstLineOfAnErrorStream() {
        assertThat(new Gap.ToolFailed("t", code(1), "one\r\ntwo").display()).endsWith("— one");
        assertThat(new Gap.ToolFailed("t", code(1), "\nsecond").display()).endsWith("— ");
        assertThat(new Gap.ToolFailed("t", code(-1), "one").display()).startsWith("t: exited with code -1");
    }
}
