// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.core.Provenance;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;

/// Readers of pages of metrics and answers of servers end as they declare, for any text.
final class PrometheusFuzzTest {
    private final SampledHosts hosts = new SampledHosts(
            "fuzz",
            Provenance.of("fuzz", Provenance.Method.DOCUMENT, Provenance.Confidence.MEASURED),
            "host",
            Instant.EPOCH);

    @FuzzTest
    void page(byte[] data) throws IOException {
        ExpositionPage page = ExpositionPage.read(new ByteArrayInputStream(data), hosts::add);
        assertThat(page.badLines()).isNotNegative();
        assertThat(hosts.hosts())
                .allSatisfy(host -> assertThat(host.registry().profiles()).isNotEmpty());
    }

    @FuzzTest
    void answer(byte[] data) {
        try {
            QueryAnswer.read(new ByteArrayInputStream(data), sample -> {
                hosts.addTime(sample);
                hosts.add(sample);
            });
        } catch (IOException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
        assertThat(hosts.hosts())
                .allSatisfy(host -> assertThat(host.registry().profiles()).isNotEmpty());
    }
}
