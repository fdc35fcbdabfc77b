// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import dev.muster.cli.device.DeviceOrder;
import dev.muster.cli.fleet.FleetOptions;
import dev.muster.cli.fleet.FleetSourceOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.DurationGrammar;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.cli.terminal.Console;
import dev.muster.cli.terminal.FullScreen;
import dev.muster.cli.top.FleetLoop;
import dev.muster.cli.top.Glyphs;
import dev.muster.cli.top.LiveSource;
import dev.muster.cli.top.OneScreen;
import dev.muster.cli.top.ProcessSignals;
import dev.muster.cli.top.ReplaySource;
import dev.muster.cli.top.TopData;
import dev.muster.cli.top.TopLoop;
import dev.muster.cli.top.TopSource;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceSelection;
import dev.muster.detect.activity.HostActivity;
import dev.muster.fleet.FleetWatch;
import dev.muster.monitor.AlertRule;
import dev.muster.monitor.RegistryRecorder;
import dev.muster.monitor.SampleHistory;
import dev.muster.monitor.Sampler;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// `muster top`: devices and their processes on the whole terminal, live or from a recording.
public final class TopCommand implements Command {
    static final OptionSpec ONCE = OptionSpec.flag("once", "print one screen and exit (default without a terminal)")
            .withLetter("1");
    static final OptionSpec DEVICE =
            OptionSpec.value("device", "DEVICES", "only these devices: 0,2-3, cuda:1 or part of a name");
    static final OptionSpec ALERT = OptionSpec.value(
            "alert", "RULES", "alert rules, such as memory>90%,power>650W (default: temperature>=90C)");
    static final OptionSpec RECORD = OptionSpec.value(
            "record", "FILE", "file to append each sample to, one registry per line, as with watch -o json");
    static final OptionSpec REPLAY = OptionSpec.value("replay", "FILE", "recording to play instead of this machine");
    static final OptionSpec SPEED =
            OptionSpec.value("speed", "TIMES", "with --replay: playback speed, from 0.125 to 64 (default: 1)");
    static final OptionSpec STEP = OptionSpec.flag("step", "with --replay: start paused; . shows the next sample");
    static final OptionSpec READONLY = OptionSpec.flag("readonly", "send no signals (default)");
    static final OptionSpec ALLOW_SIGNALS =
            OptionSpec.flag("allow-signals", "let k terminate the selected process (SIGTERM), after confirmation");

    private static final Duration USUAL = Duration.ofSeconds(2);
    private static final Duration LEAST = Duration.ofMillis(100);
    private static final Duration MOST = Duration.ofMinutes(60);
    private static final int HISTORY = 600;

    @Override
    public CommandTitle title() {
        return CommandTitle.of("top", "show devices and processes live").recordedBy("top --once --color=always");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .with(ONCE, WatchCommand.INTERVAL, DEVICE, DeviceOrder.FAMILY, ALERT)
                .with(RECORD, REPLAY, SPEED, STEP, READONLY, ALLOW_SIGNALS)
                .with(FleetOptions.SOURCES)
                .with(FleetSourceOptions.ALL)
                .printing(List.of())
                .exiting("74 the file of --record could not be written")
                .example("muster top", "live; h shows the keys, q quits")
                .example("muster top -1", "a single screen")
                .example("muster top --interval 500ms --device 0-3", "the first four devices, every half second")
                .example("muster top --source slurm", "the hosts of a cluster; u shows who holds what")
                .example("muster top --record night.jsonl", "record the samples")
                .example("muster top --replay night.jsonl --speed 8", "replay them at eight times the speed");
    }

    @Override
    public boolean asksTelemetry(Arguments arguments) {
        return true;
    }

    @Override
    public int run(Arguments arguments, Session session) {
        check(arguments);
        boolean once = arguments.has(ONCE) || !session.isScreen();
        TopInput input = new TopInput(
                arguments.read(ALERT, AlertRule::parse).orElse(AlertRule.defaults()),
                arguments.read(DEVICE, DeviceSelection::parse).orElse(null));
        if (arguments.has(FleetOptions.SOURCES)) {
            return fleet(arguments, session, input, once);
        }
        if (arguments.has(REPLAY)) {
            return replay(arguments, session, input, once);
        }
        Duration interval = interval(arguments);
        HostActivity activity = HostWords.isElsewhere(arguments)
                ? null
                : HostActivity.of(session.host().files());
        try (RegistryRecorder recorder = TopFiles.recorder(arguments)) {
            if (once) {
                printOnce(arguments, session, input, activity, recorder);
            } else {
                live(arguments, session, input, activity, recorder, interval);
            }
            return written(recorder, session);
        } catch (IOException e) {
            throw new CommandException("cannot write the recording", e);
        }
    }

    private static Duration interval(Arguments arguments) {
        return arguments
                .find(WatchCommand.INTERVAL)
                .map(text -> DurationGrammar.parse(WatchCommand.INTERVAL, text, LEAST, MOST))
                .orElse(USUAL);
    }

    private static int fleet(Arguments arguments, Session session, TopInput input, boolean once) {
        if (once) {
            session.print(FleetLoop.once(FleetOptions.read(arguments, session), session.terminal()));
            return ExitCode.OK;
        }
        Duration interval = interval(arguments);
        try (FleetWatch watch = FleetOptions.watch(arguments, session, interval);
                Console console = open(session)) {
            new FleetLoop(
                            console,
                            watch::newest,
                            "every " + DurationGrammar.text(interval),
                            input.rules(),
                            new Glyphs(session.terminal().ascii()),
                            session.terminal().color())
                    .run();
            return ExitCode.OK;
        } catch (IOException e) {
            throw new CommandException("the terminal is gone", e);
        }
    }

    private static FullScreen open(Session session) throws IOException {
        return session.openScreen()
                .orElseThrow(() -> new CommandException(
                        "standard input is not a terminal, and keys are read from it; use 'muster top --once'"));
    }

    private static void check(Arguments arguments) {
        if (arguments.has(FleetOptions.SOURCES)) {
            String reason = "--source shows the hosts of a fleet";
            arguments.refuse(CommonOptions.SOURCE, reason);
            arguments.refuse(List.of(DEVICE, DeviceOrder.FAMILY, RECORD, REPLAY, ALLOW_SIGNALS), reason);
        }
        if (arguments.has(REPLAY)) {
            String reason = "--replay plays a file";
            arguments.refuse(CommonOptions.SOURCE, reason);
            arguments.refuse(List.of(RECORD, WatchCommand.INTERVAL, ALLOW_SIGNALS), reason);
        } else {
            for (OptionSpec option : List.of(SPEED, STEP)) {
                if (arguments.has(option)) {
                    throw new UsageException("--" + option.name() + " requires --replay FILE");
                }
            }
        }
        if (arguments.has(READONLY)) {
            arguments.refuse(List.of(ALLOW_SIGNALS), "--readonly sends no signals");
        }
        if (arguments.find(CommonOptions.REGISTRY).filter("-"::equals).isPresent()) {
            throw new UsageException("top reads the registry repeatedly, which is not possible from standard input");
        }
    }

    private static void printOnce(
            Arguments arguments,
            Session session,
            TopInput input,
            @Nullable HostActivity activity,
            RegistryRecorder recorder) {
        AcceleratorRegistry registry = input.shown(arguments, session.loadRegistry(arguments));
        input.requireDevices(registry);
        recorder.write(registry);
        SampleHistory history = SampleHistory.ofLength(1);
        registry.observedAt().find().ifPresent(at -> history.add(at, registry));
        session.print(OneScreen.of(TopData.of(registry, history, input.rules(), activity), "once", session.terminal()));
    }

    private static void live(
            Arguments arguments,
            Session session,
            TopInput input,
            @Nullable HostActivity activity,
            RegistryRecorder recorder,
            Duration interval)
            throws IOException {
        if (arguments.has(CommonOptions.REGISTRY)) {
            session.loadRegistry(arguments); // a file that cannot be read is an error at once
        }
        SampleHistory history = SampleHistory.ofLength(HISTORY);
        AtomicReference<@Nullable Console> console = new AtomicReference<>();
        // The first look begins before the terminal is asked, which takes as long as two processes. From here on, the
        // session belongs to the sampler's thread until it is closed.
        Sampler sampler = Sampler.start(
                () -> input.shown(arguments, session.loadRegistry(arguments)), interval, history, session.clock());
        sampler.subscribe(sample -> recorder.write(sample.registry()));
        Runnable arrived = () -> {
            Console open = console.get();
            if (open != null) {
                open.wake();
            }
        };
        ProcessSignals signals = arguments.has(ALLOW_SIGNALS) ? new ProcessSignals(TopFiles.user()) : null;
        try (TopSource source = LiveSource.of(
                sampler,
                registry -> TopData.of(registry, history, input.rules(), activity),
                "every " + DurationGrammar.text(interval),
                arrived)) {
            show(session, source, signals, console, false, recorder);
        }
    }

    private static int replay(Arguments arguments, Session session, TopInput input, boolean once) {
        double speed = arguments.read(SPEED, TopInput::speed).orElse(1.0);
        SampleHistory history = SampleHistory.ofLength(HISTORY);
        try (ReplaySource source = new ReplaySource(
                TopFiles.recording(arguments.find(REPLAY).orElseThrow()),
                history,
                registry -> input.shown(arguments, registry),
                (registry, samples) -> TopData.of(registry, samples, input.rules(), null),
                speed,
                arguments.has(STEP),
                System::nanoTime)) {
            if (source.newest().isEmpty()) {
                String trouble = source.trouble();
                throw new CommandException(
                        "'" + Printable.of(arguments.find(REPLAY).orElseThrow()) + "' has no sample"
                                + (trouble.isEmpty() ? "" : ": " + Printable.of(trouble)));
            }
            if (once) {
                Optional<String> trouble = source.playToEnd();
                if (trouble.isPresent()) {
                    throw new CommandException(Printable.of(trouble.get()));
                }
                TopData data = source.newest().orElseThrow();
                input.requireDevices(data.registry());
                session.print(OneScreen.of(data, source.pace(), session.terminal()));
            } else {
                show(session, source, null, new AtomicReference<>(), arguments.has(STEP), RegistryRecorder.toNowhere());
            }
            return ExitCode.OK;
        } catch (IOException e) {
            throw new CommandException("the terminal is gone", e);
        }
    }

    private static void show(
            Session session,
            TopSource source,
            @Nullable ProcessSignals signals,
            AtomicReference<@Nullable Console> opened,
            boolean paused,
            RegistryRecorder recorder)
            throws IOException {
        try (Console console = open(session)) {
            opened.set(console);
            new TopLoop(
                            console,
                            source,
                            new Glyphs(session.terminal().ascii()),
                            session.terminal().color(),
                            signals,
                            () -> recorder.failure()
                                    .map(reason -> "cannot write the recording: " + reason)
                                    .orElse(""),
                            paused)
                    .run();
        }
    }

    private static int written(RegistryRecorder recorder, Session session) {
        Optional<String> failure = recorder.failure();
        failure.ifPresent(reason -> session.note("muster: cannot write the recording: " + Printable.of(reason)));
        return failure.isPresent() ? ExitCode.CANNOT_WRITE : ExitCode.OK;
    }

    /// The sample options.
    ///
    /// @param rules alert rules
    /// @param devices the devices that are wanted; null for all
    private record TopInput(List<AlertRule> rules, @Nullable DeviceSelection devices) {
        AcceleratorRegistry shown(Arguments arguments, AcceleratorRegistry registry) {
            List<AcceleratorProfile> wanted = DeviceOrder.apply(arguments, registry.profiles());
            List<AcceleratorProfile> chosen = devices == null ? wanted : devices.select(wanted);
            return chosen.size() == registry.profiles().size() ? registry : DeviceOrder.restrict(registry, chosen);
        }

        void requireDevices(AcceleratorRegistry registry) {
            if (registry.profiles().isEmpty()) {
                throw new CommandException("no device matches --device and --family; see 'muster devices'");
            }
        }

        static double speed(String text) {
            if (!text.matches("[0-9]{1,3}(\\.[0-9]{1,3})?")) {
                throw new IllegalArgumentException(
                        "a speed is a number such as 8 or 0.5, not '" + Printable.of(text) + "'");
            }
            double speed = Double.parseDouble(text);
            if (speed < ReplaySource.SLOWEST || speed > ReplaySource.FASTEST) {
                throw new IllegalArgumentException("a speed lies between 0.125 and 64: " + text);
            }
            return speed;
        }
    }
}
