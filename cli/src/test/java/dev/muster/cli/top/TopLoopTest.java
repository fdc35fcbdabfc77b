// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.terminal.Console;
import dev.muster.monitor.RegistryRecording;
import dev.muster.monitor.SampleHistory;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopLoopTest {
    @TempDir
    private Path folder;

    private final AtomicLong clock = new AtomicLong();

    @Test
    void stepsShowOneSampleEachAndQuitEndsIt() throws IOException {
        TypedConsole console = run(recording(4), true, ".", ".", "q");

        assertThat(console.written)
                .contains("replay 1 x1", "replay 2", "replay 3")
                .doesNotContain("replay 4");
    }

    @Test
    void samplesComeAtTheTimesOfTheRecording() throws IOException {
        TypedConsole console = new TypedConsole("", "", "q") {
            @Override
            public Optional<byte[]> await(Duration limit) throws IOException {
                clock.addAndGet(Duration.ofSeconds(2).toNanos());
                return super.await(limit);
            }
        };
        loop(console, recording(9), false, null).run();

        assertThat(console.written)
                .contains("replay 1 x1", "replay 2 x1", "replay 3 x1")
                .doesNotContain("replay 4");
    }

    @Test
    void anotherSizeIsDrawnAnew() throws IOException {
        TypedConsole console = run(recording(2), true, "\u001b[40;120R", "q");

        assertThat(console.written).contains("MHz").contains("\u001b[40;1H");
        assertThat(console.written.split("\u001b\\[2J", -1)).as("cleared twice").hasSize(3);
    }

    @Test
    void ctrlZGivesTheTerminalBackAndDrawsAllAnewAfterwards() throws IOException {
        TypedConsole console = run(recording(2), true, "\u001a", "q");

        assertThat(console.suspended).isOne();
        assertThat(console.written.split("\u001b\\[2J", -1)).as("cleared twice").hasSize(3);
    }

    @Test
    void onlyLinesThatChangedAreDrawn() throws IOException {
        TypedConsole console = run(recording(2), true, "\u001b[24;80R", "q");
        String first = console.written;

        assertThat(run(recording(2), true, "q").written).hasSameSizeAs(first);
    }

    @Test
    void aDamagedLineIsToldAndTheLastSampleStays() throws IOException {
        Path file = recording(2);
        Files.writeString(file, Files.readString(file) + "{broken\n");
        TypedConsole console = run(file, true, ".", ".", "q");

        assertThat(console.written).contains("line 3 of the recording is damaged", "replay 2, end");
    }

    @Test
    void aProcessThatIsNotHereIsNotSignalled() throws IOException {
        TypedConsole console = new TypedConsole("k", "y", "q");
        loop(console, recording(1), true, new ProcessSignals("no-such-user")).run();

        assertThat(console.written).containsAnyOf("no process 41207 here", "process 41207 is not yours");
    }

    @Test
    @Needs(Need.POSIX)
    void aProcessEndsAfterAYes() throws Exception {
        Process sleeping = new ProcessBuilder("sleep", "60").start();
        try {
            ProcessSignals signals =
                    new ProcessSignals(ProcessHandle.current().info().user().orElseThrow());

            assertThat(signals.hold(sleeping.pid())).isEmpty();
            assertThat(signals.end()).isEqualTo("sent SIGTERM to process " + sleeping.pid());
            assertThat(sleeping.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(signals.end()).isEqualTo("the process has already exited");
            assertThat(signals.hold(ProcessHandle.current().pid())).contains("is this program");
        } finally {
            sleeping.destroyForcibly();
        }
    }

    private TypedConsole run(Path file, boolean step, String... keys) throws IOException {
        TypedConsole console = new TypedConsole(keys);
        loop(console, file, step, null).run();
        return console;
    }

    private TopLoop loop(Console console, Path file, boolean step, @Nullable ProcessSignals signals)
            throws IOException {
        ReplaySource source = new ReplaySource(
                RegistryRecording.of(new ByteArrayInputStream(Files.readAllBytes(file))),
                SampleHistory.ofLength(600),
                registry -> registry,
                (registry, history) -> TopData.of(registry, history, List.of(), null),
                1,
                step,
                clock::get);
        return new TopLoop(console, source, new Glyphs(false), false, signals, () -> "", step);
    }

    private Path recording(int samples) throws IOException {
        return LoadRecording.write(folder.resolve("recording.jsonl"), samples);
    }

    /// A terminal with typed input, a chunk at each wait.
    private static class TypedConsole implements Console {
        private final Deque<String> keys;
        private String written = "";
        private int suspended;

        TypedConsole(String... keys) {
            this.keys = new ArrayDeque<>(List.of(keys));
        }

        @Override
        public Size size() {
            return new Size(24, 80);
        }

        @Override
        public void write(String text) {
            written += text;
        }

        @Override
        public Optional<byte[]> await(Duration limit) throws IOException {
            return Optional.of(keys.remove().getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void wake() {}

        @Override
        public void suspend() {
            suspended++;
        }

        @Override
        public void close() {}
    }
}
