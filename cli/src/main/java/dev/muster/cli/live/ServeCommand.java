// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import dev.muster.cli.ask.PlannerOptions;
import dev.muster.cli.fleet.FleetOptions;
import dev.muster.cli.fleet.FleetSourceOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.DurationGrammar;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.TextFile;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bytes;
import dev.muster.fleet.FleetWatch;
import dev.muster.monitor.AlertRule;
import dev.muster.monitor.DeviceEvent;
import dev.muster.monitor.DeviceEvents;
import dev.muster.monitor.SampleHistory;
import dev.muster.monitor.Sampler;
import dev.muster.monitor.metric.OtlpDocument;
import dev.muster.monitor.metric.ProbeStatistics;
import dev.muster.plan.Planner;
import dev.muster.report.text.Printable;
import dev.muster.server.MusterServer;
import dev.muster.server.OtlpPush;
import dev.muster.server.ServerConfig;
import dev.muster.server.ServerException;
import dev.muster.server.ServerSources;
import dev.muster.server.Webhook;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// `muster serve`: metrics, documents and events over HTTP, until it is ended.
public final class ServeCommand implements Command {
    static final OptionSpec INTERVAL =
            OptionSpec.value("interval", "TIME", "sampling interval, such as 500ms or 1m (default: 2s)");
    static final OptionSpec KEEP = OptionSpec.value("keep", "TIME", "length of the device history (default: 1h)");
    static final OptionSpec REPLAY = OptionSpec.value(
            "replay", "FILE", "registries to replay in a loop, one per line, as written by 'muster watch -o json'");

    static final OptionSpec OTLP = OptionSpec.value(
            "otlp", "URL", "OpenTelemetry collector to send metrics to, such as http://localhost:4318");
    static final OptionSpec OTLP_INTERVAL =
            OptionSpec.value("otlp-interval", "TIME", "interval between exports to the collector (default: 10s)");

    static final OptionSpec WEBHOOK = OptionSpec.value(
            "webhook", "URL", "address to send events of devices to, such as https://hooks.example/muster");
    static final OptionSpec WEBHOOK_SECRET = OptionSpec.value(
            "webhook-secret-file", "FILE", "with --webhook: file with the key that signs what is sent");

    private static final Duration HOOK_PAUSE = Duration.ofSeconds(1);
    private static final Duration FLEET_INTERVAL = Duration.ofSeconds(1);
    private static final Duration USUAL_PUSH = Duration.ofSeconds(10);
    private static final Duration USUAL_INTERVAL = Duration.ofSeconds(2);
    private static final Duration LEAST_INTERVAL = Duration.ofMillis(100);
    private static final Duration MOST_INTERVAL = Duration.ofMinutes(60);
    private static final Duration USUAL_HISTORY = Duration.ofHours(1);
    private static final Duration MOST_HISTORY = Duration.ofDays(7);
    private static final int MOST_SAMPLES = 100_000;
    /// 32 MB of history: an hour of seconds for 30 devices, a few minutes for a thousand.
    private static final long MOST_NUMBERS = 1L << 22;

    /// The interval of checks for failures.
    private static final Duration NEWS = Duration.ofSeconds(2);

    @Override
    public CommandTitle title() {
        return CommandTitle.of("serve", "serve metrics, an API and a page over HTTP")
                .recordedBy("detect --json", "");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .with(ServeOptions.all())
                .with(INTERVAL, KEEP, REPLAY, WatchCommand.ALERT, FleetOptions.SOURCES, OTLP, OTLP_INTERVAL)
                .with(WEBHOOK, WEBHOOK_SECRET)
                .with(FleetSourceOptions.ALL)
                .printing(List.of())
                .exiting("1  an address is not available, or a file cannot be read")
                .example("muster serve", "on loopback; prints the address with its token")
                .example(
                        "muster serve --metric-names dcgm --metrics-without-token",
                        "for Prometheus on this machine, and dashboards made for dcgm-exporter")
                .example(
                        "muster serve --listen 0.0.0.0:9470 --tls-cert c.pem --tls-key k.pem --tls-client-ca ca.pem",
                        "for other machines with a client certificate")
                .example(
                        "muster serve --listen unix:/run/muster/serve.sock",
                        "for this user only, without port and token: curl --unix-socket")
                .example(
                        "muster serve --webhook https://hooks.example/muster --webhook-secret-file key",
                        "sends lost and throttled devices, errors and links that are down")
                .example("muster serve --replay log.jsonl --interval 1s", "a recording of 'muster watch -o json'");
    }

    @Override
    public boolean asksTelemetry(Arguments arguments) {
        return true;
    }

    @Override
    public int run(Arguments arguments, Session session) {
        Duration interval = time(arguments, INTERVAL, USUAL_INTERVAL, LEAST_INTERVAL, MOST_INTERVAL);
        Duration keep = time(arguments, KEEP, USUAL_HISTORY, interval, MOST_HISTORY);
        List<AlertRule> rules =
                arguments.read(WatchCommand.ALERT, AlertRule::parse).orElse(List.of());
        Optional<URI> collector = arguments.find(OTLP).map(ServeCommand::collector);
        Optional<URI> receiver = arguments.find(WEBHOOK).map(ServeCommand::receiver);
        Optional<String> secret = secret(arguments);
        ProbeStatistics probes = ProbeStatistics.create();
        RegistryFeed feed = RegistryFeed.of(arguments, session, probes);
        try {
            ServeOptions options = ServeOptions.of(arguments);
            ServerConfig config = options.config();
            int length = Math.clamp(keep.dividedBy(interval), 1, MOST_SAMPLES);
            Optional<FleetWatch> fleet = arguments.has(FleetOptions.SOURCES)
                    ? Optional.of(FleetOptions.watch(arguments, session, FLEET_INTERVAL))
                    : Optional.empty();
            try (EndSignal end = EndSignal.listen();
                    FleetWatch _ = fleet.orElseGet(() -> FleetWatch.start(List.of(), FLEET_INTERVAL, FLEET_INTERVAL));
                    Sampler sampler = Sampler.start(
                            feed, interval, SampleHistory.ofLength(length, mostNumbers(arguments)), session.clock());
                    MusterServer server = MusterServer.start(
                            config,
                            sources(
                                    sampler,
                                    PlannerOptions.planners(arguments, session, PlannerOptions.isHere(arguments)),
                                    rules,
                                    probes,
                                    fleet,
                                    session.clock(),
                                    HostWords.of(arguments, session)),
                            Long.toString(session.clock().instant().toEpochMilli(), Character.MAX_RADIX),
                            session.log())) {
                Optional<OtlpPush> push = push(arguments, collector, config, sampler, session);
                Optional<Webhook> hook = receiver.map(url ->
                        Webhook.start(url, secret, config.hostName(), server.events(), HOOK_PAUSE, session.clock()));
                long noted = 0;
                boolean isKeepTold = !arguments.has(KEEP);
                try {
                    say(options, server, session);
                    ProblemLog troubles = new ProblemLog(session);
                    do {
                        tell(sampler, push, troubles);
                        noted = note(server.events(), noted, session);
                        troubles.tell(
                                "webhook",
                                hook.flatMap(Webhook::problem).map(Printable::of),
                                "the webhook accepts events again");
                        isKeepTold = isKeepTold || tellKeep(arguments, sampler.history(), length, session);
                        troubles.tell("history", shortened(sampler.history(), length), "");
                        int written = session.flush();
                        if (written != ExitCode.OK) {
                            return written;
                        }
                    } while (!end.isGiven() && session.pause(NEWS)); // the server works on threads of its own
                    end.accept();
                } finally {
                    push.ifPresent(OtlpPush::close);
                    hook.ifPresent(Webhook::close);
                }
            }
        } catch (ServerException e) {
            throw new CommandException(Printable.of(String.valueOf(e.getMessage())));
        }
        return ExitCode.OK;
    }

    private static URI collector(String text) {
        try {
            return OtlpPush.address(text);
        } catch (ServerException _) {
            throw OTLP.isNot("the URL of a collector, such as http://localhost:4318", text);
        }
    }

    private static URI receiver(String text) {
        try {
            return Webhook.address(text);
        } catch (ServerException _) {
            throw WEBHOOK.isNot("the URL of a receiver, such as https://hooks.example/muster", text);
        }
    }

    private static Optional<String> secret(Arguments arguments) {
        if (arguments.has(WEBHOOK_SECRET) && !arguments.has(WEBHOOK)) {
            throw new UsageException("--webhook-secret-file requires --webhook URL");
        }
        return arguments.find(WEBHOOK_SECRET).map(file -> {
            String secret = TextFile.read(file).strip();
            if (secret.length() < Webhook.LEAST_SECRET) {
                throw new CommandException("'" + Printable.of(file) + "' has fewer than " + Webhook.LEAST_SECRET
                        + " characters; write a longer one with 'openssl rand -hex 32'");
            }
            return secret;
        });
    }

    /// Writes a line for each event since the last one.
    private static long note(DeviceEvents events, long last, Session session) {
        long number = last;
        for (DeviceEvent event : events.recent()) {
            if (event.number() > last) {
                session.note("muster: " + event.at().truncatedTo(ChronoUnit.SECONDS) + " " + event.device() + " "
                        + Printable.of(event.message()));
                number = event.number();
            }
        }
        return number;
    }

    private static Optional<OtlpPush> push(
            Arguments arguments, Optional<URI> collector, ServerConfig config, Sampler sampler, Session session) {
        Duration interval = time(arguments, OTLP_INTERVAL, USUAL_PUSH, LEAST_INTERVAL, MOST_INTERVAL);
        OtlpDocument document = OtlpDocument.of(
                config.hostName(), config.version(), session.clock().instant());
        return collector.map(url -> OtlpPush.start(url, sampler, document, interval, session.log()));
    }

    private static void tell(Sampler sampler, Optional<OtlpPush> push, ProblemLog troubles) {
        troubles.tell(
                "host",
                sampler.failure()
                        .map(failure -> "detection failed (" + Printable.of(failure.message())
                                + "); clients see the previous sample; retrying"),
                "detection works again");
        troubles.tell(
                "collector",
                push.flatMap(OtlpPush::problem).map(why -> Printable.of(why) + "; retrying"),
                "the collector accepts metrics again");
    }

    /// A history that was asked for may fill a third of the memory; raise that with `MUSTER_JAVA_OPTS=-Xmx2g`.
    private static long mostNumbers(Arguments arguments) {
        long third = Runtime.getRuntime().maxMemory() / 3 / Double.BYTES;
        return arguments.has(KEEP) ? Math.max(MOST_NUMBERS, third) : MOST_NUMBERS;
    }

    /// Tells the memory of a history that was asked for, after the first sample.
    ///
    /// @return true if it was told
    /// @throws CommandException if it has no room
    static boolean tellKeep(Arguments arguments, SampleHistory history, int wanted, Session session) {
        if (history.samples() == 0) {
            return false;
        }
        refuseShort(arguments.find(KEEP).orElse(""), history, wanted);
        session.note("muster: the history of " + arguments.find(KEEP).orElse("") + " takes "
                + FixedText.of(new Bytes(history.bytes())));
        return true;
    }

    /// @throws CommandException if the history has less room than `--keep` asks for
    static void refuseShort(String keep, SampleHistory history, int wanted) {
        if (history.length() < wanted) {
            Bytes needed = new Bytes(history.bytes() / history.length() * wanted);
            throw new CommandException("--keep " + Printable.of(keep) + " needs " + FixedText.of(needed)
                    + " for these devices, and there is room for " + FixedText.of(new Bytes(history.bytes()))
                    + "; keep less, give a longer --interval, or more memory with MUSTER_JAVA_OPTS=-Xmx2g");
        }
    }

    /// Returns the message for a history with less room than `--keep` asks for; empty if all has room.
    static Optional<String> shortened(SampleHistory history, int wanted) {
        int kept = history.length();
        return kept < wanted
                ? Optional.of("the history keeps " + kept + " samples instead of " + wanted
                        + ", since those of all devices fill " + ((MOST_NUMBERS * Double.BYTES) >> 20)
                        + " MiB; a longer --interval covers more time")
                : Optional.empty();
    }

    private static Duration time(
            Arguments arguments, OptionSpec option, Duration usual, Duration least, Duration most) {
        return arguments
                .find(option)
                .map(text -> DurationGrammar.parse(option, text, least, most))
                .orElse(usual);
    }

    private static ServerSources sources(
            Sampler sampler,
            Function<AcceleratorRegistry, Planner> planners,
            List<AlertRule> rules,
            ProbeStatistics probes,
            Optional<FleetWatch> fleet,
            InstantSource clock,
            HostWords host) {
        return new ServerSources(
                sampler,
                planners,
                rules,
                fleet.map(watch -> watch::newest),
                probes::metrics,
                clock,
                host::load,
                host::process);
    }

    /// Addresses go to standard output, so that a script can take them; the token is shown this once.
    private static void say(ServeOptions options, MusterServer server, Session session) {
        ServerConfig config = options.config();
        String token = options.showsToken()
                ? config.token().map(secret -> "?token=" + secret.reveal()).orElse("")
                : "";
        for (String address : server.addresses()) {
            session.print(Printable.of(address) + (address.startsWith("http") ? token : "") + "\n");
        }
        if (!config.isLocal()) {
            session.note("muster: other machines can reach this server"
                    + (config.tls().isPresent() ? "" : ", without encryption (see --tls-cert and --tls-key)"));
        }
        options.warnings().forEach(warning -> session.note("muster: " + warning));
        session.note("muster: press Ctrl-C to stop");
    }
}
