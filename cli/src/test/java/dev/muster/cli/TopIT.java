// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.top.LoadRecording;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `muster top` on a real terminal: what is drawn is what tmux shows.
@Needs(value = Need.POSIX, programs = "tmux")
class TopIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 50;
    private static final int SAMPLES = 20;

    @TempDir
    static Path shared;

    private static Path launcher = Path.of("");

    @TempDir
    private Path folder;

    @BeforeAll
    static void install() throws IOException {
        launcher = InstalledMuster.in(shared).launcher();
    }

    @BeforeEach
    void record() throws IOException {
        LoadRecording.write(folder.resolve("load.jsonl"), SAMPLES);
    }

    @AfterEach
    void end() throws Exception {
        tmux("kill-server");
    }

    @ParameterizedTest
    @CsvSource({"80, 24", "120, 40", "200, 60"})
    void drawsScreensOfThreeSizes(int columns, int lines) throws Exception {
        start(columns, lines, "LANG=C.UTF-8", "");
        playAll();

        Golden.assertMatches("top-tmux-" + columns + "x" + lines, awaitScreen("replay " + SAMPLES));
    }

    @Test
    void keysAreAnswered() throws Exception {
        start(80, 24, "LANG=C.UTF-8", "");
        playAll();
        awaitScreen("replay " + SAMPLES);

        keys("s", "s");
        awaitScreen("by user");
        keys("/", "v", "l", "l", "m", "Enter");
        assertThat(awaitScreen("filter 'vllm', 4")).doesNotContain("python3");
        keys("Escape");
        awaitScreen("14, by user");
        keys("4");
        awaitScreen("4 topology");
        keys("h");
        awaitScreen("this help");
        keys("x");
        keys("1", "s");
        awaitScreen("by load");
    }

    @Test
    void aWindowOfAnotherSizeIsDrawnAnew() throws Exception {
        start(80, 24, "LANG=C.UTF-8", "");
        playAll();
        awaitScreen("replay " + SAMPLES);

        tmux("resize-window", "-t", "top", "-x", "120", "-y", "40");

        awaitScreen("arrows scroll");
        Golden.assertMatches("top-tmux-120x40", awaitScreen("LINKS GB/s"));
    }

    @Test
    void quittingLeavesTheTerminalAsItWas() throws Exception {
        start(80, 24, "LANG=C.UTF-8", "; echo ended $?; stty -a | grep -o -e '-*icanon' -e '-*echo '; cat");
        awaitScreen("replay 1");

        keys("q");

        String after = awaitScreen("ended 0");
        assertThat(awaitScreen("icanon")).doesNotContain("-icanon", "-echo ", "1 devices");
        assertThat(after).doesNotContain("muster top");
    }

    @Test
    void ctrlZStopsTheJobAndFgDrawsItAgain() throws Exception {
        tmux("-f", "/dev/null", "new-session", "-d", "-s", "top", "-x", "80", "-y", "24", "bash --norc -i");
        keys(command("LANG=C.UTF-8"), "Enter");
        awaitScreen("replay 1");

        keys("C-z");
        awaitScreen("Stopped");
        keys("stty -a | grep -o -e '-*icanon'; fg", "Enter");
        assertThat(awaitScreen("replay 1")).contains("3 processes");
        keys("q");
        assertThat(awaitScreen("icanon")).doesNotContain("-icanon");
    }

    @Test
    void aHangUpLeavesNothingOnTheTerminal() throws Exception {
        start(80, 24, "LANG=C.UTF-8", "; echo ended; cat");
        awaitScreen("replay 1");

        long shell = Long.parseLong(
                tmux("list-panes", "-t", "top", "-F", "#{pane_pid}").strip());
        ProcessHandle top =
                ProcessHandle.of(shell).orElseThrow().children().findFirst().orElseThrow();
        new ProcessBuilder("kill", "-HUP", "" + top.pid()).start().waitFor();

        String after = awaitScreen("ended");

        assertThat(after).doesNotContain("muster top", "cuda:");
    }

    @Test
    void oneScreenIsPrintedWhereTheTerminalCannotDraw() throws Exception {
        start(100, 60, "LC_ALL=C TERM=dumb", "; echo ended $?; cat");

        assertThat(awaitScreen("ended 0"))
                .contains("replay 20, end", "3 processes")
                .matches("[\\n -~]*");
    }

    private void start(int columns, int lines, String variables, String behind) throws Exception {
        tmux(
                "-f",
                "/dev/null",
                "new-session",
                "-d",
                "-s",
                "top",
                "-x",
                "" + columns,
                "-y",
                "" + lines,
                command(variables) + behind);
    }

    private String command(String variables) {
        return "MUSTER_JAVA_HOME='" + System.getProperty("java.home") + "' NO_COLOR=1 " + variables + " '" + launcher
                + "' top --replay '" + folder.resolve("load.jsonl") + "' --step";
    }

    private void playAll() throws Exception {
        awaitScreen("replay 1");
        List<String> steps = new ArrayList<>();
        for (int i = 1; i < SAMPLES; i++) {
            steps.add(".");
        }
        keys(steps.toArray(String[]::new));
    }

    private void keys(String... keys) throws Exception {
        List<String> words = new ArrayList<>(List.of("send-keys", "-t", "top"));
        words.addAll(List.of(keys));
        tmux(words.toArray(String[]::new));
    }

    /// The screen as soon as it has a text on it.
    private String awaitScreen(String text) throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        String screen = "";
        while (System.nanoTime() - end < 0) {
            String before = screen;
            screen = tmux("capture-pane", "-p", "-t", "top");
            // The same twice: tmux may have read half of what was drawn.
            if (screen.contains(text) && screen.equals(before)) {
                return screen;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        throw new AssertionError("no '" + text + "' on the screen:\n" + screen);
    }

    private String tmux(String... words) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("tmux", "-S", folder.resolve("tmux").toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().remove("TMUX");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return output;
    }
}
