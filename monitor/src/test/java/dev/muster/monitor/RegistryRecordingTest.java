// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.json.RegistryDocument;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
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
