// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.top.TopState.Surroundings;
import dev.muster.cli.top.TopState.Wish;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopStateTest {
    private static final Surroundings LIVE = new Surroundings(10, 4, 77, false, false);
    private static final Surroundings WITH_SIGNALS = new Surroundings(10, 4, 77, true, false);
    private static final Surroundings REPLAY = new Surroundings(10, 4, 0, false, true);
    private static final TopState START = TopState.initial(false);
    private static final String UP = "\u001b[A";
    private static final String DOWN = "\u001b[B";
    private static final String ESCAPE = "\u001b";

    @Test
    void sortingGoesThroughAllOrdersOfThePane() {
        assertThat(type(START, "s", LIVE).processSort()).isEqualTo(ProcessRow.Sort.PID);
        assertThat(type(START, "ssssss", LIVE).processSort()).isEqualTo(ProcessRow.Sort.MEMORY);
        assertThat(type(START, "1s", LIVE).deviceSort()).isEqualTo(DeviceRow.Sort.LOAD);
        assertThat(type(START, "1s", LIVE).processSort()).isEqualTo(ProcessRow.Sort.MEMORY);
    }

    @Test
    void aFilterIsTypedKeptAndDropped() {
        TopState typing = type(START, "/vllq\u007fm", LIVE);
        assertThat(typing.editing()).isTrue();
        assertThat(typing.processFilter()).isEqualTo("vllm");
        assertThat(typing.wish()).as("q is a letter while typing").isEqualTo(Wish.NOTHING);

        TopState kept = type(typing, "\r", LIVE);
        assertThat(kept.editing()).isFalse();
        assertThat(kept.processFilter()).isEqualTo("vllm");
        assertThat(type(kept, ESCAPE, LIVE).processFilter()).isEmpty();
        assertThat(type(typing, ESCAPE, LIVE).processFilter()).isEmpty();
        assertThat(type(START, "1/h100\r", LIVE).deviceFilter()).isEqualTo("h100");
    }

    @Test
    void aFilterHasAnEnd() {
        assertThat(type(START, "/" + "x".repeat(500), LIVE).processFilter().length())
                .isLessThan(100);
        assertThat(type(START, "/\u007f", LIVE).editing())
                .as("backspace in an empty one leaves it")
                .isFalse();
    }

    @Test
    void theMarkedProcessStaysWithinTheList() {
        assertThat(type(START, UP, LIVE).offset(Pane.PROCESSES)).isZero();
        assertThat(type(START, DOWN + DOWN, LIVE).offset(Pane.PROCESSES)).isEqualTo(2);
        assertThat(type(START, "\u001b[6~", LIVE).offset(Pane.PROCESSES)).isEqualTo(4);
        assertThat(type(START, "\u001b[F" + DOWN, LIVE).offset(Pane.PROCESSES)).isEqualTo(9);
        assertThat(type(START, "\u001b[F\u001b[5~", LIVE).offset(Pane.PROCESSES))
                .isEqualTo(5);
        assertThat(type(START, "\u001b[F\u001b[H", LIVE).offset(Pane.PROCESSES)).isZero();
    }

    @Test
    void otherPanesScrollUntilTheirLastLineIsSeen() {
        assertThat(type(START, "5\u001b[F", LIVE).offset(Pane.ALERTS)).isEqualTo(6);
    }

    @Test
    void aNumberGoesToItsPaneAndNeverHidesIt() {
        for (Pane pane : Pane.values()) {
            TopState there = type(START, "" + pane.key(), LIVE);
            assertThat(there.focus()).isEqualTo(pane);
            assertThat(type(there, "" + pane.key(), LIVE)).isEqualTo(there);
            assertThat(there.hidden()).isEmpty();
        }
    }

    @Test
    void xHidesThePaneAndItsNumberShowsItAgain() {
        TopState topology = type(START, "4", LIVE);
        TopState hidden = type(topology, "x", LIVE);
        assertThat(hidden.hidden()).containsExactly(Pane.TOPOLOGY);
        assertThat(hidden.focus()).isEqualTo(Pane.PROCESSES);
        assertThat(type(hidden, "4", LIVE).hidden()).isEmpty();
        assertThat(type(hidden, "\t", LIVE).focus())
                .as("what is hidden is passed over")
                .isEqualTo(Pane.ALERTS);
        assertThat(type(START, "\u001b[Z", LIVE).focus()).isEqualTo(Pane.HISTORY);
    }

    @Test
    void helpCoversOtherKeysButQuit() {
        TopState help = type(START, "?", LIVE);
        assertThat(help.help()).isTrue();
        assertThat(type(help, "s", LIVE)).isEqualTo(START);
        assertThat(type(help, "q", LIVE).wish()).isEqualTo(Wish.QUIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"n", "x", ESCAPE, " ", "q"})
    void anythingButYesIsNo(String key) {
        TopState asked = type(START, "k", WITH_SIGNALS);
        assertThat(asked.confirming()).isEqualTo(77);

        TopState answered = type(asked, key, WITH_SIGNALS);

        assertThat(answered.confirming()).isZero();
        assertThat(answered.wish()).isEqualTo(Wish.NOTHING);
    }

    @Test
    void yesSendsASignalWhichOnlyThoseMayWhoAskedForIt() {
        assertThat(type(START, "ky", WITH_SIGNALS).wish()).isEqualTo(Wish.SIGNAL);
        assertThat(type(START, "k", LIVE).confirming()).isZero();
        assertThat(type(START, "1k", new Surroundings(10, 4, 0, true, false)).confirming())
                .isZero();
    }

    @Test
    void stepsAndSpeedsAreOfRecordingsAlone() {
        assertThat(type(START, ".", REPLAY).wish()).isEqualTo(Wish.STEP);
        assertThat(type(START, "\u001b[C", REPLAY).wish()).isEqualTo(Wish.STEP);
        assertThat(type(START, "+", REPLAY).wish()).isEqualTo(Wish.FASTER);
        assertThat(type(START, "-", REPLAY).wish()).isEqualTo(Wish.SLOWER);
        assertThat(type(START, ".+-\u001b[C", LIVE)).isEqualTo(START);
        assertThat(type(START, ".s", REPLAY).wish()).as("a wish is had once").isEqualTo(Wish.NOTHING);
    }

    @Test
    void pauseAndTreeAreSwitches() {
        assertThat(type(START, " ", LIVE).paused()).isTrue();
        assertThat(type(START, " p", LIVE)).isEqualTo(START);
        assertThat(type(START, "t", LIVE).tree()).isTrue();
        assertThat(type(START, "Q", LIVE).wish()).isEqualTo(Wish.QUIT);
    }

    @Test
    void whatATerminalSendsIsDecoded() {
        assertThat(Key.decode(bytes("\u001b[24;80Ra\u001bOA\u001b[1;5H\u001b[<0;1;2Mé\u001b")))
                .containsExactly(
                        new Key.Size(24, 80),
                        new Key.Letter('a'),
                        Key.Named.UP,
                        Key.Named.HOME,
                        new Key.Letter('é'),
                        Key.Named.ESCAPE);
        assertThat(Key.decode(bytes("\u001b[0;0R\u001b[99999;1R\u001b[12;R\u001b[5")))
                .isEmpty();
    }

    private static TopState type(TopState state, String keys, Surroundings around) {
        TopState now = state;
        for (Key key : Key.decode(bytes(keys))) {
            now = now.press(key, around);
        }
        return now;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
