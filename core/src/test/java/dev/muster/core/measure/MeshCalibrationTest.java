// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.json.DocumentException;
import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.core.measure.MeshCalibration.Curve;
import dev.muster.core.measure.MeshCalibration.CurvePoint;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MeshCalibrationTest {
    private static final Instant TIME = Instant.parse("2026-11-17T18:00:00Z");

    private static MeshCalibration mesh(String backend, int ranks, int hosts, Instant time) {
        Curve curve = new Curve(
                Collective.ALL_REDUCE,
                ranks,
                List.of(new CurvePoint(1000, 1e-5), new CurvePoint(11_000, 2e-5), new CurvePoint(1_011_000, 1.02e-3)));
        return new MeshCalibration(backend, ranks, hosts, time, Thoroughness.FULL, List.of(curve));
    }

    @ParameterizedTest
    @CsvSource({"1, 1e-5", "1000, 1e-5", "6000, 1.5e-5", "11000, 2e-5", "511000, 5.2e-4", "2011000, 2.02e-3"})
    void timesLieOnStraightLinesBetweenWhatWasMeasured(double bytes, double seconds) {
        assertThat(mesh("shm", 4, 1, TIME)
                        .seconds(Collective.ALL_REDUCE, 4, bytes)
                        .getAsDouble())
                .isCloseTo(seconds, within(seconds * 1e-9));
    }

    @Test
    void whatWasNotMeasuredIsUnknown() {
        assertThat(mesh("shm", 4, 1, TIME).seconds(Collective.ALL_REDUCE, 2, 8)).isEmpty();
        assertThat(mesh("shm", 4, 1, TIME).seconds(Collective.SEND, 4, 8)).isEmpty();
    }

    /// Noise may make a larger call faster; a prediction never shrinks with size.
    @Test
    void noTimeShrinksWithSize() {
        Curve noisy = new Curve(Collective.SEND, 2, List.of(new CurvePoint(1, 3e-5), new CurvePoint(100, 1e-5)));
        MeshCalibration mesh = new MeshCalibration("tcp", 2, 1, TIME, Thoroughness.QUICK, List.of(noisy));
        for (double bytes = 1; bytes < 1e9; bytes *= 3) {
            assertThat(mesh.seconds(Collective.SEND, 2, bytes).getAsDouble()).isEqualTo(3e-5);
        }
    }

    @Test
    void aDocumentComesBack() {
        CalibrationDocument document = new CalibrationDocument(
                List.of(), List.of(mesh("shm", 4, 1, TIME), mesh("tcp", 8, 2, TIME)), List.of());
        assertThat(CalibrationDocument.read(bytes(document.toJson().toText()))).isEqualTo(document);
        assertThat(CalibrationDocument.read(bytes("{\"schema\":1,\"kind\":\"calibration\",\"devices\":[]}"))
                        .meshes())
                .isEmpty();
    }

    @Test
    void theNewestOfABackendAndOfAsManyRanksStays() {
        CalibrationDocument old = new CalibrationDocument(
                List.of(), List.of(mesh("shm", 4, 1, TIME), mesh("shm", 2, 1, TIME)), List.of());
        MeshCalibration newer = mesh("shm", 4, 1, TIME.plusSeconds(9));
        CalibrationDocument all = old.updatedBy(CalibrationDocument.of(newer));
        assertThat(all.meshes()).containsExactly(newer, mesh("shm", 2, 1, TIME));
        assertThat(all.findMesh("shm", 2, false)).contains(mesh("shm", 2, 1, TIME));
        assertThat(all.findMesh("shm", 3, false)).contains(newer);
        assertThat(all.findMesh("shm", 4, true)).isEmpty();
        assertThat(all.findMesh("tcp", 4, false)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"backend\":\"shm\",\"ranks\":1,\"hosts\":1,\"measuredAt\":\"2026-11-17T18:00:00Z\","
                        + "\"thoroughness\":\"full\",\"collectives\":[]}",
                "{\"backend\":\"shm\",\"ranks\":2,\"hosts\":1,\"measuredAt\":\"yesterday\","
                        + "\"thoroughness\":\"full\",\"collectives\":[]}",
                "{\"backend\":\"shm\",\"ranks\":2.5,\"hosts\":1,\"measuredAt\":\"2026-11-17T18:00:00Z\","
                        + "\"thoroughness\":\"full\",\"collectives\":[]}",
                "{\"backend\":\"shm\",\"ranks\":2,\"hosts\":1,\"measuredAt\":\"2026-11-17T18:00:00Z\","
                        + "\"thoroughness\":\"full\",\"collectives\":[{\"collective\":\"send\",\"members\":2,"
                        + "\"points\":[]}]}",
                "{\"backend\":\"shm\",\"ranks\":2,\"hosts\":1,\"measuredAt\":\"2026-11-17T18:00:00Z\","
                        + "\"thoroughness\":\"full\",\"collectives\":[{\"collective\":\"send\",\"members\":2,"
                        + "\"points\":[{\"bytes\":8,\"seconds\":-1}]}]}"
            })
    void nonsenseIsRefused(String mesh) {
        String text = "{\"schema\":1,\"kind\":\"calibration\",\"devices\":[],\"meshes\":[" + mesh + "]}";
        assertThatThrownBy(() -> CalibrationDocument.read(bytes(text))).isInstanceOf(DocumentException.class);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
