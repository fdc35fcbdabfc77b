// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.core.Provenance;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.fleet.FleetDocument;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/// Readers of Slurm's output and of documents end as they declare, for any text.
final class SlurmFuzzTest {
    private static final Provenance SOURCE =
            Provenance.of("slurm", Provenance.Method.COMMAND, Provenance.Confidence.STATED);

    @FuzzTest
    void text(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        ScontrolText reader = new ScontrolText(SOURCE);
        new SlurmReports(SOURCE)
                .of(reader.nodes(text), reader.jobs(text), reader.reservations(text), SlurmTopology.parse(text));
    }

    @FuzzTest
    void json(byte[] data) {
        JsonValue answer;
        try {
            answer = JsonValue.parse(data);
        } catch (DocumentException _) {
            return;
        }
        SlurmJson reader = new SlurmJson(SOURCE);
        new SlurmReports(SOURCE)
                .of(
                        reader.nodes(answer),
                        reader.jobs(answer),
                        reader.reservations(answer, Instant.EPOCH),
                        SlurmTopology.NONE);
    }

    @FuzzTest
    void resources(byte[] data) {
        List<Gres> gres = Gres.parse(new String(data, StandardCharsets.UTF_8));
        GresDevices.of(gres, SOURCE);
    }

    @FuzzTest
    void document(byte[] data) throws IOException {
        try {
            FleetDocument.read(new ByteArrayInputStream(data));
        } catch (DocumentException _) {
            // Text that is not a fleet is refused as such.
        }
    }
}
