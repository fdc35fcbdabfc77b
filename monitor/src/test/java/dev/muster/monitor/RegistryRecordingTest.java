// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.json.RegistryDocument;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RegistryRecordingTest {
    @Test
    void whatWasRecordedIsRead() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (RegistryRecorder recorder = RegistryRecorder.of(file)) {
            recorder.write(Samples.withLoad(0.1, 0));
            recorder.write(Samples.withLoad(0.2, 0, 1));
            assertThat(recorder.lines()).isEqualTo(2);
        }

        try (RegistryRecording recording = RegistryRecording.of(new ByteArrayInputStream(file.toByteArray()))) {
            assertThat(recording.next().orElseThrow().profiles()).hasSize(1);
            assertThat(recording.next().orElseThrow().profiles()).hasSize(2);
            assertThat(recording.next()).isEmpty();
            assertThat(recording.line()).isEqualTo(2);
        }
    }

    @Test
    void aBusyHostOfEightGpusTakesTwoKilobytesASample() throws IOException {
        Random random = new Random(41);
        int samples = 600;
        List<AcceleratorRegistry> written = new ArrayList<>();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (RegistryRecorder recorder = RegistryRecorder.of(file)) {
            for (int i = 0; i < samples; i++) {
                AcceleratorRegistry busy = Samples.busy(random, i);
                written.add(busy);
                recorder.write(busy);
            }
        }

        assertThat(RegistryDocument.write(written.getFirst())).hasSizeGreaterThan(6_000);
        assertThat(file.size() / samples).isLessThan(2_000);
        try (RegistryRecording recording = RegistryRecording.of(new ByteArrayInputStream(file.toByteArray()))) {
            for (AcceleratorRegistry each : written) {
                assertThat(RegistryDocument.write(recording.next().orElseThrow()))
                        .isEqualTo(RegistryDocument.write(each));
            }
            assertThat(recording.next()).isEmpty();
        }
    }

    @Test
    void aFileThatIsCutYieldsAllCompleteSamples() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        List<Integer> ends = new ArrayList<>();
        try (RegistryRecorder recorder = RegistryRecorder.of(file)) {
            for (int i = 0; i < 4; i++) {
                recorder.write(Samples.withLoad(0.1 * i, 0, 1));
                ends.add(file.size());
            }
        }
        byte[] whole = file.toByteArray();
        for (int length = 0; length < whole.length; length++) {
            int cut = length;
            long complete = ends.stream().filter(end -> end <= cut + 1).count(); // the line end may be missing
            try (RegistryRecording recording = RegistryRecording.of(new ByteArrayInputStream(whole, 0, length))) {
                long read = 0;
                while (recording.next().isPresent()) {
                    read++;
                }
                assertThat(read).as("of the first %d bytes", length).isEqualTo(complete);
            }
        }
    }

    @Test
    void changesOfADamagedLineAreNotTakenForThoseOfAnother() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (RegistryRecorder recorder = RegistryRecorder.of(file)) {
            for (int i = 0; i < 302; i++) {
                recorder.write(Samples.withLoad(i / 1000.0, 0));
            }
        }
        List<String> lines =
                new ArrayList<>(file.toString(StandardCharsets.UTF_8).lines().toList());
        lines.set(1, "{\"delta\":1,");
        try (RegistryRecording recording = of(String.join("\n", lines) + "\n")) {
            assertThat(recording.next()).isPresent();
            for (int i = 1; i < 300; i++) {
                assertThatThrownBy(recording::next).isInstanceOf(RecordingException.class);
            }
            assertThat(recording.next().orElseThrow().profiles().getFirst().number(DeviceFact.UTILIZATION))
                    .as("the next document")
                    .hasValue(0.3);
            assertThat(recording.next()).isPresent();
        }
    }

    @Test
    void aDamagedLineIsNamedAndThoseBehindItAreRead() throws IOException {
        String good = RegistryDocument.write(Samples.withLoad(0.1, 0));
        try (RegistryRecording recording = of(good + "\n\n{\"schema\":1,\n" + good)) {
            assertThat(recording.next()).isPresent();
            assertThatThrownBy(recording::next)
                    .isInstanceOfSatisfying(
                            RecordingException.class, e -> assertThat(e.line()).isEqualTo(3))
                    .hasMessageStartingWith("line 3 of the recording is damaged: ");
            assertThat(recording.next()).as("the last line has no end").isPresent();
            assertThat(recording.next()).isEmpty();
        }
    }

    @Test
    void aLineLongerThanARegistryIsNotKept() throws IOException {
        InputStream endless = new ByteArrayInputStream(new byte[RegistryDocument.MAX_BYTES + 10]);
        try (RegistryRecording recording = RegistryRecording.of(endless)) {
            assertThatThrownBy(recording::next).hasMessageContaining("more than " + RegistryDocument.MAX_BYTES);
        }
    }

    @Test
    void aWriteThatFailsIsToldAndNothingMoreIsWritten() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        RegistryRecorder recorder = RegistryRecorder.of(full);

        recorder.write(Samples.withLoad(0.1, 0));
        recorder.write(Samples.withLoad(0.1, 0));

        assertThat(recorder.failure()).contains("No space left on device");
        assertThat(recorder.lines()).isZero();
    }

    private static RegistryRecording of(String text) {
        return RegistryRecording.of(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
}
