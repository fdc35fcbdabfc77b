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
    private final Console console;
    private final TopSource source;
    private final Glyphs glyphs;
    private final boolean color;
    private final @Nullable ProcessSignals signals;
    private final Supplier<String> notice;
    private TopState state;
    private @Nullable TopData data;
    private final Painter painter;
    private String message = "";

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
        this.painter = new Painter(console);
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
            painter.askSize();
            Duration wait = source.untilNext();
            Optional<byte[]> typed = console.await(wait.compareTo(Painter.SIZE_CHECK) < 0 ? wait : Painter.SIZE_CHECK);
            for (Key key : typed.map(Key::decode).orElse(List.of())) {
                press(key);
            }
        }
    }

    private void press(Key key) throws IOException {
        if (key == Key.Named.SUSPEND) {
            console.suspend();
            painter.forget();
            return;
        }
        if (key instanceof Key.Size told) {
            painter.resize(told);
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
        Console.Size size = painter.size();
        return Optional.of(new TopScreen(now, state, status, size.columns(), size.lines(), glyphs));
    }

    private void draw() throws IOException {
        Optional<TopScreen> screen = screen();
        painter.paint(screen.isPresent() ? screen.get().draw().lines(color) : waiting());
    }

    private List<String> waiting() {
        Console.Size size = painter.size();
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
