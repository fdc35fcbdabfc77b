// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.cli.top.LoadRecording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TopCommandTest {
    @TempDir
    private Path folder;

    @Test
    void onceIsOneScreenAsHighAsItHasToBe() {
        Golden.assertMatches(
                "top-once",
                MusterRun.onTerminal(100)
                        .run("top", "--once", "--registry", MusterRun.HGX)
                        .quietOutput());
    }

    @ParameterizedTest
    @MethodSource("joinedDevices")
    void devicesAreJoinedByTheSameWordsAsInTopology(String registry, String device, String word) {
        MusterRun pipe = MusterRun.inPipe();
        String top = pipe.run("top", "--once", "--registry", registry).quietOutput();
        String topology = pipe.run("topology", "--registry", registry).quietOutput();

        for (String text : new String[] {top.substring(top.indexOf("4 topology")), topology}) {
            assertThat(text.lines().filter(line -> line.startsWith(device)))
                    .singleElement()
                    .satisfies(line -> assertThat(line.split(" +"))
                            .startsWith(device, word, "X", word, word, word, word, word, word));
        }
    }

    static Stream<Arguments> joinedDevices() {
        return Stream.of(
                Arguments.of(MusterRun.HGX, "cuda:1", "NV18"), Arguments.of(MusterRun.MI300X, "rocm:1", "XGMI1"));
    }

    @Test
    void withoutATerminalItIsOnce() {
        String piped =
                MusterRun.inPipe().run("top", "--registry", MusterRun.HGX).quietOutput();

        assertThat(piped).doesNotContain("\u001b").contains("cuda:7", "4 topology");
        assertThat(MusterRun.onTerminal(120)
                        .withEnvironment("TERM", "dumb")
                        .run("top", "--registry", MusterRun.HGX)
                        .quietOutput())
                .isEqualTo(piped);
    }

    @Test
    void onlyTheDevicesThatAreAskedForAreShown() {
        assertThat(MusterRun.inPipe()
                        .run("top", "-1", "--registry", MusterRun.HGX, "--device", "cuda:2,cuda:5")
                        .quietOutput())
                .contains("2 devices", "cuda:2", "cuda:5")
                .doesNotContain("cuda:3 ");
    }

    @Test
    void whatIsRecordedIsPlayed() throws IOException {
        Path file = folder.resolve("night.jsonl");
        for (int i = 0; i < 2; i++) {
            MusterRun.inPipe().run("top", "-1", "--registry", MusterRun.HGX, "--record", file.toString());
        }

        assertThat(Files.readAllLines(file)).hasSize(2);
        assertThat(MusterRun.inPipe()
                        .run("top", "-1", "--replay", file.toString())
                        .quietOutput())
                .contains("replay 2, end", "2 history", "cuda:7");
    }

    @Test
    void aRecordingIsPlayedToItsEndAtOnce() throws IOException {
        Path file = LoadRecording.write(folder.resolve("load.jsonl"), 30);

        assertThat(MusterRun.inPipe()
                        .run("top", "-1", "--replay", file.toString())
                        .quietOutput())
                .contains("2026-11-15 08:30:58Z", "replay 30, end", "LINKS GB/s");
    }

    @Test
    void aDamagedRecordingIsOneSentence() throws IOException {
        Path file = LoadRecording.write(folder.resolve("load.jsonl"), 2);
        Files.writeString(file, Files.readString(file) + "{\u001b[31m\n");

        Outcome outcome = MusterRun.inPipe().run("top", "-1", "--replay", file.toString());

        assertThat(outcome.code()).isEqualTo(ExitCode.NO);
        assertThat(outcome.err())
                .startsWith("muster: line 3 of the recording is damaged: ")
                .doesNotContain("\u001b")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--replay /nowhere/x           | 1 | file '/nowhere/x' not found",
                "--replay /                    | 1 | is not a regular file",
                "--replay /dev/null            | 1 | is not a regular file",
                "--record /                    | 1 | is not a regular file",
                "--record /nowhere/x           | 1 | cannot write '/nowhere/x'",
                "--step                        | 2 | --step requires --replay FILE",
                "--replay x --record y         | 2 | --record does not apply",
                "--replay x --registry y       | 2 | --registry does not apply",
                "--replay x --allow-signals    | 2 | --allow-signals does not apply",
                "--readonly --allow-signals    | 2 | --readonly sends no signals",
                "--interval 1ms                | 2 | --interval is a time",
                "--alert heat>3                | 2 | a rule is a fact, a sign and a limit",
                "--registry -                  | 2 | not possible from standard input",
                "--device nothing-like-this    | 1 | no device matches --device",
            })
    void badOptionsAreOneSentence(String options, int code, String said) {
        Outcome outcome = MusterRun.inPipe().run(("top -1 " + options).split(" "));

        assertThat(outcome.code()).isEqualTo(code);
        assertThat(outcome.err()).contains(said).hasLineCount(1);
    }

    @Test
    void speedsHaveLimits() throws IOException {
        Path file = LoadRecording.write(folder.resolve("load.jsonl"), 1);
        for (String speed : new String[] {"0", "65", "x", "-1", "1e3"}) {
            Outcome outcome = MusterRun.inPipe().run("top", "--replay", file.toString(), "--speed", speed);

            assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
            assertThat(outcome.err()).contains("a speed ").hasLineCount(1);
        }
    }
}
