// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import static dev.muster.detect.FuzzText.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// What a kernel's log may hold: whatever it is, its reader ends as it declares.
final class DoctorFuzzTest {
    private static final int MOST_MESSAGES = 10_000;

    @FuzzTest
    void kernelLog(byte[] data) {
        assertThat(XidMessage.parse(text(data)))
                .hasSizeLessThanOrEqualTo(MOST_MESSAGES)
                .allMatch(xid -> xid.number() >= 0);
    }
}
