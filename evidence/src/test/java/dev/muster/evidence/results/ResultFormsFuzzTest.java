// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.evidence.results.form.ResultsException;
import java.nio.charset.StandardCharsets;

/// Arbitrary files of benchmarks: they give runs, or one sentence.
final class ResultFormsFuzzTest {
    @FuzzTest
    void results(byte[] data) {
        try {
            assertThat(ResultForms.read(new String(data, StandardCharsets.UTF_8)))
                    .isNotEmpty();
        } catch (ResultsException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }
}
