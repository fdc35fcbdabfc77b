// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.cli.terminal.Console;
import dev.muster.core.AcceleratorRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Between a terminal and a source of samples: draws what changed, and does what keys ask for. Confined to one thread.
public final class TopLoop {
    /// A window of another size is noticed within this time.
    private static final Duration SIZE_CHECK = Duration.ofMillis(500);
    /// The cursor is sent beyond every screen; the terminal tells where it went, which is its last line and column.
    private static final String ASK_SIZE = "\u001b7\u001b[9999;9999H\u001b[6n\u001b8";

    private static final String CLEAR = "\u001b[0m\u001b[2J";
    private static final String CLEAR_LINE = "\u001b[K";

    private final Console console;
    private final TopSource source;
    private final Glyphs glyphs;
    private final boolean color;
    private final @Nullable ProcessSignals signals;
    private final Supplier<String> notice;
    private TopState state;
    private @Nullable TopData data;
    private Console.Size size;
    private List<String> drawn = List.of();
    private String message = "";
    private long asked = System.nanoTime();

    /// @param signals ends processes; null if that is not allowed
    /// @param notice something else to tell the user; blank for nothing
    /// @param paused true if it begins with a picture that stands still
    public TopLoop(
            Console console,
            TopSource source,
            Glyphs glyphs,
            boolean color,
            @Nullable ProcessSignals signals,
            Supplier<String> notice,
            boolean paused) {
        this.console = console;
        this.source = source;
        this.glyphs = glyphs;
        this.color = color;
        this.signals = signals;
        this.notice = notice;
        this.state = TopState.initial(paused);
        this.size = console.size();
    }

    /// Runs until the user wants it to end.
    ///
    /// @throws IOException if the terminal is gone
    public void run() throws IOException {
        while (state.wish() != TopState.Wish.QUIT) {
            if (!state.paused() || data == null) {
                data = source.newest().orElse(data);
            }
            draw();
            askSize();
            Duration wait = source.untilNext();
            Optional<byte[]> typed = console.await(wait.compareTo(SIZE_CHECK) < 0 ? wait : SIZE_CHECK);
            for (Key key : typed.map(Key::decode).orElse(List.of())) {
                press(key);
            }
        }
    }

    private void askSize() throws IOException {
        long now = System.nanoTime();
        if (now - asked >= SIZE_CHECK.toNanos()) {
            asked = now;
            console.write(ASK_SIZE);
        }
    }

    private void press(Key key) throws IOException {
        if (key == Key.Named.SUSPEND) {
            console.suspend();
            drawn = List.of();
            return;
        }
        if (key instanceof Key.Size(int lines, int columns)) {
            Console.Size now = new Console.Size(lines, columns);
            if (!now.equals(size)) {
                size = now;
                drawn = List.of();
            }
            return;
        }
        message = "";
        boolean wasPaused = state.paused();
        long before = state.confirming();
        state = state.press(
                key, screen().map(TopScreen::surroundings).orElse(new TopState.Surroundings(0, 1, 0, false, false)));
        if (state.paused() != wasPaused) {
            source.pause(state.paused());
            data = state.paused() ? source.frozen().orElse(data) : data;
        }
        if (signals != null && state.confirming() != 0 && before == 0) {
            message = signals.hold(state.confirming());
            state = message.isEmpty() ? state : state.withConfirming(0);
        }
        obey();
    }

    private void obey() {
        switch (state.wish()) {
            case STEP -> {
                source.step();
                data = source.frozen().orElse(data);
            }
            case FASTER -> source.speed(2);
            case SLOWER -> source.speed(0.5);
            case SIGNAL -> {
                message = signals == null ? "" : signals.end();
                state = state.withConfirming(0);
            }
            case NOTHING, QUIT -> {}
        }
    }

    private Optional<TopScreen> screen() {
        TopData now = data;
        if (now == null) {
            return Optional.empty();
        }
        String said = message.isEmpty() ? source.trouble() : message;
        TopScreen.Status status = new TopScreen.Status(
                time(now.registry()),
                source.pace(),
                said.isEmpty() ? notice.get() : said,
                signals != null,
                source.isReplay());
        return Optional.of(new TopScreen(now, state, status, size.columns(), size.lines(), glyphs));
    }

    private void draw() throws IOException {
        Optional<TopScreen> screen = screen();
        List<String> lines = screen.isPresent() ? screen.get().draw().lines(color) : waiting();
        StringBuilder out = new StringBuilder();
        boolean all = drawn.size() != lines.size();
        out.append(all ? CLEAR : "");
        for (int y = 0; y < lines.size(); y++) {
            if (all || !lines.get(y).equals(drawn.get(y))) {
                out.append("\u001b[")
                        .append(y + 1)
                        .append(";1H")
                        .append(lines.get(y))
                        .append(CLEAR_LINE);
            }
        }
        drawn = lines;
        if (!out.isEmpty()) {
            console.write(out.toString());
        }
    }

    private List<String> waiting() {
        Canvas canvas = new Canvas(size.columns(), size.lines());
        String trouble = source.trouble();
        canvas.put(0, 0, size.columns(), "muster top", Tone.TITLE);
        canvas.put(
                0,
                1,
                size.columns(),
                trouble.isEmpty() ? "looking at the devices " + glyphs.ellipsis() : trouble,
                Tone.PLAIN);
        return canvas.lines(color);
    }

    /// Returns the time of a sample as text.
    static String time(AcceleratorRegistry registry) {
        return registry.observedAt()
                .find()
                .map(at -> at.truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' '))
                .orElse("");
    }
}
