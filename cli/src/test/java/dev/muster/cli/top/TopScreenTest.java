// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.Golden;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.RegistryDocument;
import dev.muster.monitor.AlertRule;
import dev.muster.monitor.SampleHistory;
import dev.muster.report.text.DisplayWidth;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopScreenTest {
    private static final TopScreen.Status STATUS =
            new TopScreen.Status("2026-11-15 08:32:00Z", "every 2s", "", false, false);

    @ParameterizedTest
    @CsvSource({"80, 24", "120, 40", "200, 60"})
    void fillsScreensOfThreeSizes(int width, int height) throws IOException {
        Golden.assertMatches(
                "top-" + width + "x" + height, plain(data(60), TopState.initial(false), width, height, false));
    }

    @Test
    void keepsToAsciiWhereAsked() throws IOException {
        String screen = plain(data(60), TopState.initial(false), 80, 24, true);

        assertThat(screen).isEqualTo(screen.replaceAll("[^\\n -~]", "?"));
        Golden.assertMatches("top-ascii", screen);
    }

    @Test
    void coloursAreThoseOfEveryTerminal() throws IOException {
        String screen = String.join(
                "\n",
                screen(data(60), TopState.initial(false), 80, 24, false).draw().lines(true));

        assertThat(screen).contains(Tone.GOOD.sequence(), Tone.BAD.sequence());
        assertThat(screen.replaceAll("\u001b\\[0(;[1-9]|;3[1-7])*m", "")).doesNotContain("\u001b");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 19, 20, 33, 40, 61, 79, 80, 100, 119, 149, 150, 163, 220, 500})
    void nothingIsWiderOrHigherThanTheScreen(int width) throws IOException {
        TopData data = data(60);
        for (int height = 1; height < 70; height += 3) {
            for (Pane focus : Pane.values()) {
                List<String> lines = screen(data, TopState.initial(false).withFocus(focus), width, height, false)
                        .draw()
                        .lines(false);

                assertThat(lines).hasSize(height);
                assertThat(lines)
                        .allSatisfy(line -> assertThat(DisplayWidth.of(line)).isLessThanOrEqualTo(width));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Pane.class)
    void thePaneWithTheFocusIsSeenEvenOnASmallScreen(Pane pane) throws IOException {
        assertThat(plain(data(60), TopState.initial(false).withFocus(pane), 80, 24, false))
                .contains(pane.key() + " " + pane.title());
    }

    @Test
    void aHiddenPaneGivesItsRoomToOthers() throws IOException {
        TopState state = TopState.initial(false).withHidden(EnumSet.of(Pane.HISTORY, Pane.ALERTS));

        assertThat(plain(data(60), state, 80, 24, false))
                .doesNotContain("2 history", "5 alerts")
                .contains("cuda:5    41205");
    }

    @Test
    void namesCannotSteerTheTerminal() throws IOException {
        AcceleratorRegistry hostile = RegistryDocument.read(
                Files.readAllBytes(Path.of("src/test/resources/fixtures/registry/hostile-names__synthetic.own.json")));
        SampleHistory history = SampleHistory.ofLength(3);
        history.add(Instant.EPOCH, hostile);

        for (String line : screen(
                        TopData.of(hostile, history, List.of(), null), TopState.initial(false), 200, 60, false)
                .draw()
                .lines(false)) {
            assertThat(line.codePoints()).noneMatch(point -> point < ' ' || (point >= 0x7F && point < 0xA0));
        }
    }

    @Test
    void unknownIsNeverShownAsZero() throws IOException {
        AcceleratorRegistry nothing = RegistryDocument.read(
                "{\"schema\":1,\"kind\":\"registry\",\"devices\":[{\"accelerator\":\"cuda\",\"index\":0}]}"
                        .getBytes(StandardCharsets.US_ASCII));
        SampleHistory history = SampleHistory.ofLength(3);
        history.add(Instant.EPOCH, nothing);

        assertThat(plain(TopData.of(nothing, history, List.of(), null), TopState.initial(false), 120, 24, false)
                        .lines())
                .filteredOn(line -> line.startsWith("cuda:0") || line.startsWith("1 device"))
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(line).doesNotContain("0%", "0.0", "0/").contains("–/–"));
    }

    @Test
    void helpNamesEveryKey() throws IOException {
        TopState help =
                TopState.initial(false).press(new Key.Letter('h'), new TopState.Surroundings(0, 1, 0, false, false));

        Golden.assertMatches("top-help", plain(data(3), help, 100, 24, false));
    }

    @Test
    void helpIsReadWholeAtEightyColumns() throws IOException {
        TopState help =
                TopState.initial(false).press(new Key.Letter('h'), new TopState.Surroundings(0, 1, 0, false, false));
        String narrow = plain(data(3), help, 80, 24, false);

        assertThat(narrow.replaceAll("\\s+", " "))
                .doesNotContain("…")
                .contains("selected process (SIGTERM)", "home and end to its ends", "device, command, time");
    }

    private static TopData data(int samples) throws IOException {
        AcceleratorRegistry machine = LoadRecording.machine();
        SampleHistory history = SampleHistory.ofLength(600);
        AcceleratorRegistry last = machine;
        for (int i = 0; i < samples; i++) {
            last = LoadRecording.sample(machine, i);
            history.add(last.observedAt().find().orElseThrow(), last);
        }
        return TopData.of(last, history, AlertRule.parse("load>95%"), null);
    }

    private static TopScreen screen(TopData data, TopState state, int width, int height, boolean ascii) {
        return new TopScreen(data, state, STATUS, width, height, new Glyphs(ascii));
    }

    private static String plain(TopData data, TopState state, int width, int height, boolean ascii) {
        return String.join(
                        "\n", screen(data, state, width, height, ascii).draw().lines(false)) + "\n";
    }
}
