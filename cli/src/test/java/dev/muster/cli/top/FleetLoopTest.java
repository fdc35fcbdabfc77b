// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.terminal.Console;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.synthetic.SyntheticFleet;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.report.terminal.Terminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FleetLoopTest {
    private static final Fleet FLEET = fleet("40xh100-sxm:8,seed=3,live");

    private static Fleet fleet(String text) {
        return Fleet.merge(List.of(
                SyntheticFleet.parse(text, DeviceCatalogue.builtIn(), InstantSource.fixed(Instant.ofEpochSecond(1_000)))
                        .read(Duration.ofSeconds(9))));
    }

    @Test
    void hostsAreRowsTheBusiestFirst() {
        String text = FleetLoop.once(FLEET, new Terminal(true, false, false, 120));
        List<Integer> loads = numbers(text, "([0-9]+)%");

        assertThat(text).contains("40 hosts, 320 devices", "HOST", "OWNERS", "h100-sxm-01", "ALLOCATED");
        assertThat(loads.subList(1, loads.size()))
                .hasSizeGreaterThan(30)
                .isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(text.lines()).allMatch(line -> line.length() <= 120);
    }

    @Test
    void whatSourcesDoNotTellIsUnknownAndNeverZero() {
        String text = FleetLoop.once(fleet("3xh100-sxm:8,seed=3"), new Terminal(true, false, false, 120));

        assertThat(text).doesNotContain("0%").contains("3 hosts, 24 devices");
    }

    @Test
    void sAsksForAnotherOrder() throws IOException {
        String written = run("s", "q");
        assertThat(written).contains("hosts by load", "hosts by power");
        assertThat(run("s", "s", "q")).contains("hosts by temperature");
        assertThat(run("s", "s", "s", "q")).contains("hosts by owner");
    }

    @Test
    void enterShowsTheDevicesOfAHostAndEscapeLeadsBack() throws IOException {
        List<String> screens = screens("\r", "\u001b", "q");

        assertThat(screens.get(1)).contains("cuda:0", "cuda:7", "devices", "escape leads back");
        assertThat(screens.get(2)).contains("hosts by load");
    }

    @Test
    void usersWithIdleDevicesComeFirst() throws IOException {
        String users = screens("u", "q").get(1);
        List<Integer> idle = users.lines()
                .filter(line -> line.contains("user") && line.contains("%"))
                .map(line -> numbers(line, "\\s([0-9]+)").get(1))
                .toList();

        assertThat(users).contains("those with idle devices first", "IDLE");
        assertThat(idle).hasSizeGreaterThan(10).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(idle.getFirst()).isPositive();
    }

    @Test
    void enterOnAUserShowsTheHostsOfThatUser() throws IOException {
        List<String> screens = screens("u", "\r", "q");
        String user = numbersOf(screens.get(1));

        assertThat(screens.get(2)).contains("filter '" + user + "'");
    }

    @Test
    void aFilterIsTypedAndKept() throws IOException {
        List<String> screens = screens("/", "h100-sxm-07", "\r", "q");

        assertThat(screens.get(2))
                .contains("filter 'h100-sxm-07', 1", "h100-sxm-07")
                .doesNotContain("h100-sxm-08");
    }

    @Test
    void nothingIsWiderOrHigherThanTheScreen() {
        for (int width : new int[] {1, 19, 20, 40, 80, 200}) {
            for (int height : new int[] {1, 6, 24}) {
                List<HostRow> rows = FLEET.hosts().stream().map(HostRow::of).toList();
                FleetScreen screen = new FleetScreen(
                        rows,
                        rows,
                        List.of(),
                        FleetState.initial(),
                        new FleetScreen.Status("t", "p", ""),
                        width,
                        height,
                        new Glyphs(true));
                assertThat(screen.draw().lines(false)).hasSize(height).allMatch(line -> line.length() <= width);
            }
        }
    }

    private static List<Integer> numbers(String text, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        return found.results().map(one -> Integer.valueOf(one.group(1))).toList();
    }

    private static String numbersOf(String users) {
        Matcher found = Pattern.compile("(user[0-9]+)").matcher(users);
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    private static String run(String... keys) throws IOException {
        return String.join("", screens(keys));
    }

    /// What is written before each key.
    private static List<String> screens(String... keys) throws IOException {
        TypedConsole console = new TypedConsole(keys);
        new FleetLoop(console, () -> FLEET, "every 2s", List.of(), new Glyphs(true), false).run();
        return console.screens();
    }

    /// A terminal with typed input, a chunk at each wait.
    private static final class TypedConsole implements Console {
        private final Deque<String> keys;
        private final StringBuilder written = new StringBuilder();

        TypedConsole(String... keys) {
            this.keys = new ArrayDeque<>(List.of(keys));
        }

        @Override
        public Size size() {
            return new Size(50, 120);
        }

        @Override
        public void write(String text) {
            // Lines start where the cursor is sent.
            written.append(text.replaceAll("\u001b\\[[0-9]+;1H", "\n").replaceAll("\u001b[^A-Za-z]*[A-Za-z]", ""));
        }

        @Override
        public Optional<byte[]> await(Duration limit) {
            written.append('\f');
            return Optional.of(keys.remove().getBytes(StandardCharsets.UTF_8));
        }

        List<String> screens() {
            return Arrays.asList(written.toString().split("\f", -1));
        }

        @Override
        public void wake() {}

        @Override
        public void suspend() {}

        @Override
        public void close() {}
    }
}
