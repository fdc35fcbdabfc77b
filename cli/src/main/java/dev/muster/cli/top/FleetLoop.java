// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import dev.muster.cli.terminal.Console;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetHost;
import dev.muster.monitor.AlertRule;
import dev.muster.monitor.SampleHistory;
import dev.muster.report.terminal.Terminal;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Between a terminal and the hosts of a fleet: hosts and users as rows, and the devices of one host as [TopLoop] shows
/// those of this machine. Confined to one thread.
public final class FleetLoop {
    private static final int HISTORY = 600;
    private static final int WIDEST = 1_000;
    private static final int USUAL_WIDTH = 120;
    private static final int HEADS = 5;

    private final Console console;
    private final Supplier<Fleet> source;
    private final String pace;
    private final List<AlertRule> rules;
    private final Glyphs glyphs;
    private final boolean color;
    private final Painter painter;
    private FleetState state = FleetState.initial();
    private @Nullable Fleet fleet;
    private List<HostRow> hosts = List.of();
    private @Nullable Opened opened;

    /// @param source the newest view of the fleet; the same object as long as nothing changed
    /// @param pace interval of readings, as text
    /// @param rules alert rules for the devices of a host
    public FleetLoop(
            Console console, Supplier<Fleet> source, String pace, List<AlertRule> rules, Glyphs glyphs, boolean color) {
        this.console = console;
        this.source = source;
        this.pace = pace;
        this.rules = rules;
        this.glyphs = glyphs;
        this.color = color;
        this.painter = new Painter(console);
    }

    /// A host whose devices are shown.
    private static final class Opened {
        final String name;
        final SampleHistory history = SampleHistory.ofLength(HISTORY);
        TopState state = TopState.initial(false);

        Opened(String name) {
            this.name = name;
        }
    }

    /// Runs until the user wants it to end.
    ///
    /// @throws IOException if the terminal is gone
    public void run() throws IOException {
        while (state.wish() != FleetState.Wish.QUIT) {
            take();
            draw();
            painter.askSize();
            Optional<byte[]> typed = console.await(Painter.SIZE_CHECK);
            for (Key key : typed.map(Key::decode).orElse(List.of())) {
                press(key);
            }
        }
    }

    /// Rows are put together for a new view alone.
    @SuppressWarnings("ReferenceEquality") // a view that did not change is the same object, and comparing takes long
    private void take() {
        Fleet newest = state.paused() && fleet != null ? fleet : source.get();
        if (newest == fleet) {
            return;
        }
        fleet = newest;
        hosts = rows(newest);
        Opened open = opened;
        if (open != null) {
            newest.find(open.name).ifPresent(host -> open.history.add(time(newest), host.registry()));
        }
    }

    private static List<HostRow> rows(Fleet fleet) {
        List<HostRow> rows = new ArrayList<>(fleet.hosts().size());
        for (FleetHost host : fleet.hosts()) {
            rows.add(HostRow.of(host));
        }
        return rows;
    }

    private static Instant time(Fleet fleet) {
        return fleet.sources().stream()
                .flatMap(one -> one.observedAt().find().stream())
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
    }

    private void press(Key key) throws IOException {
        if (key == Key.Named.SUSPEND) {
            console.suspend();
            painter.forget();
        } else if (key instanceof Key.Size told) {
            painter.resize(told);
        } else if (opened != null) {
            pressInside(opened, key);
        } else {
            FleetScreen screen = screen();
            state = state.press(key, screen.rows(), screen.page());
            if (state.wish() == FleetState.Wish.OPEN) {
                open(screen);
            }
        }
    }

    private void open(FleetScreen screen) {
        int row = Math.min(state.marked(), screen.rows() - 1);
        if (state.users()) {
            state = state.hostsOf(screen.users().get(row).name());
        } else {
            FleetHost host = screen.shown().get(row).host();
            Opened open = new Opened(host.name());
            open.history.add(fleet == null ? Instant.EPOCH : time(fleet), host.registry());
            opened = open;
        }
        painter.forget();
    }

    /// Escape leads back to the hosts, unless it ends a filter or the help.
    private void pressInside(Opened open, Key key) {
        boolean isBack = key == Key.Named.ESCAPE || key == Key.Named.BACKSPACE;
        if (isBack && !open.state.editing() && !open.state.help()) {
            opened = null;
            painter.forget();
            return;
        }
        open.state = open.state.press(
                key,
                inside(open).map(TopScreen::surroundings).orElse(new TopState.Surroundings(0, 1, 0, false, false)));
        if (open.state.wish() == TopState.Wish.QUIT) {
            state = state.press(new Key.Letter('q'), 0, 1);
        }
    }

    private void draw() throws IOException {
        Opened open = opened;
        Optional<TopScreen> inside = open == null ? Optional.empty() : inside(open);
        painter.paint(
                inside.isPresent()
                        ? inside.get().draw().lines(color)
                        : screen().draw().lines(color));
    }

    private Optional<TopScreen> inside(Opened open) {
        Fleet known = fleet;
        Optional<FleetHost> host = known == null ? Optional.empty() : known.find(open.name);
        TopScreen.Status status = new TopScreen.Status(
                open.name + " " + glyphs.dot() + " " + time(), pace, "escape leads back to the hosts", false, false);
        return host.map(found -> new TopScreen(
                TopData.of(found.registry(), open.history, rules, null),
                open.state,
                status,
                painter.size().columns(),
                painter.size().lines(),
                glyphs));
    }

    private FleetScreen screen() {
        return screen(hosts, state, time(), pace, failure(fleet), painter.size(), glyphs);
    }

    private static FleetScreen screen(
            List<HostRow> hosts,
            FleetState state,
            String time,
            String pace,
            String failure,
            Console.Size size,
            Glyphs glyphs) {
        return new FleetScreen(
                hosts,
                state.users() ? List.of() : HostRow.arrange(hosts, state.filter(), state.sort()),
                state.users() ? HolderRow.arrange(hosts, state.filter()) : List.of(),
                state,
                new FleetScreen.Status(time, pace, failure),
                size.columns(),
                size.lines(),
                glyphs);
    }

    private String time() {
        return fleet == null ? "" : text(time(fleet));
    }

    private static String text(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' ');
    }

    private static String failure(@Nullable Fleet fleet) {
        return fleet == null
                ? ""
                : fleet.sources().stream()
                        .filter(one -> !one.failure().isBlank())
                        .map(one -> one.source() + ": " + one.failure())
                        .findFirst()
                        .orElse("");
    }

    /// Returns all hosts as text, as high as it has to be.
    public static String once(Fleet fleet, Terminal terminal) {
        List<HostRow> hosts = rows(fleet);
        int width = terminal.width() > WIDEST ? USUAL_WIDTH : terminal.width();
        FleetScreen screen = screen(
                hosts,
                FleetState.initial().unmarked(),
                text(time(fleet)),
                "once",
                " ",
                new Console.Size(hosts.size() + HEADS, width),
                new Glyphs(terminal.ascii()));
        List<String> lines = new ArrayList<>(screen.draw().lines(terminal.color()));
        while (!lines.isEmpty() && lines.getLast().isBlank()) {
            lines.removeLast();
        }
        return String.join("\n", lines) + "\n";
    }
}
