// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.terminal.FullScreen;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.detect.Detection;
import dev.muster.detect.host.Host;
import dev.muster.report.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// One run of the program: where its text goes and where its registries come from. Confined to one thread.
public final class Session {
    private final Terminal terminal;
    private final RegistrySource registries;
    private final Outlet outlet;
    private final Pause pause;
    private final boolean screen;
    private final StringBuilder output = new StringBuilder();
    private final StringBuilder notes = new StringBuilder();
    /// Kept, since `watch` asks again and again.
    private @Nullable Hypothesis hypothesis;

    private boolean hypothesisSaid;

    /// @param screen true if the cursor can be moved, so that text may be drawn over
    public Session(Terminal terminal, RegistrySource registries, Outlet outlet, Pause pause, boolean screen) {
        this.terminal = terminal;
        this.registries = registries;
        this.outlet = outlet;
        this.pause = pause;
        this.screen = screen;
    }

    public Terminal terminal() {
        return terminal;
    }

    /// Adds data, for standard output.
    public void print(String text) {
        output.append(text);
    }

    /// Adds a line for people, for standard error.
    public void note(String line) {
        notes.append(line).append('\n');
    }

    /// Shows people who wait what is done now, in one line that the next one replaces; a blank one ends
    /// it. May be called on any thread.
    public void progress(String text) {
        outlet.showProgress(text);
    }

    /// Writes what was added since the last time, and returns the exit code that the write deserves.
    public int flush() {
        int written = outlet.write(output.toString(), notes.toString());
        output.setLength(0);
        notes.setLength(0);
        return written;
    }

    /// Waits; false when the program shall end instead.
    public boolean pause(Duration time) {
        return pause.await(time);
    }

    /// Returns the current width of the screen; empty if there is none. From here on, `q` ends a pause.
    public OptionalInt watchScreen() {
        return screen ? pause.columns() : OptionalInt.empty();
    }

    /// Takes the whole terminal over; empty if there is none to get keys from.
    ///
    /// @throws IOException if it cannot be written to
    public Optional<FullScreen> openScreen() throws IOException {
        return FullScreen.open(registries.stdin(), outlet.stdout());
    }

    /// Returns standard input.
    public InputStream stdin() {
        return registries.stdin();
    }

    public boolean isScreen() {
        return screen;
    }

    /// Returns the registry that the options ask for: a saved one, this machine's, or what could be in its place.
    public AcceleratorRegistry loadRegistry(Arguments arguments) {
        if (!arguments.hasAny(CommonOptions.WHAT_IF)) {
            return loadObserved(arguments);
        }
        Hypothesis asked = hypothesis(arguments);
        return asked.isMadeUp() ? asked.makeUp(this::noteOnce) : asked.apply(loadObserved(arguments), this::noteOnce);
    }

    private AcceleratorRegistry loadObserved(Arguments arguments) {
        Optional<String> file = arguments.find(CommonOptions.REGISTRY);
        return file.isPresent() ? registries.read(file.get()) : detect().registry();
    }

    /// Returns the time on this machine.
    public InstantSource clock() {
        return registries.thisHost().clock();
    }

    public System.Logger log() {
        return registries.log();
    }

    /// Today's date, in Greenwich.
    public LocalDate today() {
        return LocalDate.ofInstant(registries.now(), ZoneOffset.UTC);
    }

    /// Applies the options of hypothetical changes to a detection.
    public AcceleratorRegistry whatIf(Arguments arguments, AcceleratorRegistry observed) {
        return arguments.hasAny(CommonOptions.WHAT_IF)
                ? hypothesis(arguments).apply(observed, this::noteOnce)
                : observed;
    }

    private void noteOnce(String line) {
        if (!hypothesisSaid) {
            note(line);
        }
        hypothesisSaid = true;
    }

    private Hypothesis hypothesis(Arguments arguments) {
        if (hypothesis == null) {
            hypothesis = Hypothesis.of(arguments);
        }
        return hypothesis;
    }

    /// Detects the host, with the time of each part.
    public Detection detect() {
        return registries.detect();
    }

    /// Detects a host between this program and the requested one.
    public AcceleratorRegistry detect(Host host) {
        return registries.detect(host);
    }

    /// Returns the time limit of a detection.
    public Duration limit() {
        return registries.limit();
    }

    /// Returns the host that is asked: this machine, or a recorded one.
    public Host host() {
        return registries.host();
    }

    public AcceleratorRegistry readRegistry(String file) {
        return registries.read(file);
    }
}
