// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.FakeFiles;
import dev.muster.detect.probe.Probe;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeEventTest {
    @TempDir
    private Path folder;

    @Test
    void flightRecordingsShowWhatEachProbeFound() throws Exception {
        Path file = folder.resolve("detect.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("dev.muster.Probe").withoutThreshold();
            recording.start();
            detect();
            recording.stop();
            recording.dump(file);
        }

        assertThat(RecordingFile.readAllEvents(file)).anySatisfy(event -> {
            assertThat(event.getString("probe")).isEqualTo("one");
            assertThat(event.getInt("devices")).isEqualTo(1);
            assertThat(event.getInt("gaps")).isZero();
        });
    }

    /// An event class is in no start-up cache, and loads more than a hundred classes.
    @Test
    void withoutARecordingAProbeLoadsNoClassOfItsEvent() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectErrorStream(true)
                .start();
        String loaded = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(child.waitFor()).isZero();
        assertThat(loaded)
                .contains(ProbeRun.class.getName() + " ")
                .doesNotContain(ProbeEvent.class.getName() + " ", "jdk.jfr.Event ");
    }

    /// The program of [#withoutARecordingAProbeLoadsNoClassOfItsEvent].
    static final class Program {
        private Program() {}

        static void main() {
            detect();
        }
    }

    private static void detect() {
        DetectBuilder.none()
                .with(new OneDevice())
                .build(Contexts.host(FakeFiles.of(Map.of()), Clock.systemUTC()), System.getLogger("test"))
                .detect();
    }

    private static final class OneDevice implements Probe {
        @Override
        public String name() {
            return "one";
        }

        @Override
        public List<AcceleratorKind> kinds() {
            return List.of(AcceleratorKind.CUDA_GPU);
        }

        @Override
        public boolean hasSigns(ProbeContext context) {
            return true;
        }

        @Override
        public ProbeReport probe(ProbeContext context) {
            return ProbeReport.builder()
                    .add(AcceleratorProfile.cuda(0, Bytes.ofGib(80)))
                    .build();
        }
    }
}
