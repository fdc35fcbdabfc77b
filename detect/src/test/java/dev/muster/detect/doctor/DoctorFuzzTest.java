// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import static dev.muster.detect.FuzzText.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Fuzz test: content of a kernel log; any input ends in a result or a declared failure.
final class DoctorFuzzTest {
    private static final int MOST_MESSAGES = 10_000;

    @FuzzTest
    void kernelLog(byte[] data) {
        assertThat(XidMessage.parse(text(data)))
                .hasSizeLessThanOrEqualTo(MOST_MESSAGES)
                .allMatch(xid -> xid.number() >= 0);
    }
}
