package dev.muster.cli;

import dev.muster.cli.render.Printable;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.Gap;
import dev.muster.detect.host.Host;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.Fleet.SourceState;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetHost;
import dev.muster.fleet.FleetReader;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.FleetWatch;
import dev.muster.fleet.HostState;
import dev.muster.fleet.Restriction;
import dev.muster.fleet.SyntheticFleet;
import dev.muster.fleet.file.FileSource;
import dev.muster.fleet.slurm.SlurmSource;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.model.PlanException;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Options of `muster fleet`: which sources are asked, and which hosts are shown.
final class FleetOptions {
    static final OptionSpec SOURCES = OptionSpec.value(
            "source",
            "SOURCE...",
            "who is asked, may be given again: slurm, slurm:URL, file:PATH, synthetic:100xh100-sxm:8,seed=1");
    static final OptionSpec TIMEOUT =
            OptionSpec.value("timeout", "TIME", "how long all sources together may take (default 10s)");
    static final OptionSpec STRICT = OptionSpec.flag("strict", "exit code 4 if a source or a host could not be read");
    static final OptionSpec STATE = OptionSpec.choice(
            "state",
            "STATE",
            Arrays.stream(HostState.Kind.values()).map(HostState.Kind::text).toList(),
            "only hosts that are ready, draining, down or unknown");
    static final OptionSpec PARTITION = OptionSpec.value("partition", "NAME", "only hosts of that partition");
    static final OptionSpec FREE = OptionSpec.flag("free", "only hosts with a free device");
    static final OptionSpec KIND =
            OptionSpec.value("kind", "NAME", "only hosts with devices whose name holds this, such as H100");
    /// What every word but `diff` has.
    static final List<OptionSpec> ALL = List.of(SOURCES, TIMEOUT, STRICT, STATE, PARTITION, FREE, KIND);

    private static final Duration DEFAULT_LIMIT = Duration.ofSeconds(10);
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofMinutes(30);
    private static final int SHOWN_GAPS = 5;

    /// Opens a source.
    private interface Opening {
        /// @param rest what stands behind the colon; blank where nothing does
        FleetSource open(String rest, Host host);
    }

    /// The sources by their first word: the one place where another is added.
    private static final Map<String, Opening> OPENINGS = new LinkedHashMap<>(Map.of(
            "slurm", FleetOptions::slurm,
            "file", (rest, _) -> FileSource.of(path(rest), System.getLogger("dev.muster.fleet")),
            "synthetic", (rest, host) -> SyntheticFleet.parse(rest, DeviceCatalogue.builtIn(), host.clock())));

    private FleetOptions() {}

    /// Follows the sources that the options name.
    static FleetWatch watch(Arguments arguments, Session session, Duration interval) {
        return FleetWatch.start(sources(arguments, session), interval, DEFAULT_LIMIT);
    }

    /// `plan --fleet` names sources by the option itself.
    private static List<FleetSource> sources(Arguments arguments, Session session) {
        List<FleetSource> sources = new ArrayList<>();
        String named = arguments
                .find(SOURCES)
                .or(() -> arguments.find(PlanCommand.FLEET))
                .orElse("slurm");
        for (String text : named.split("\n", -1)) {
            sources.add(open(text, session.host()));
        }
        return sources;
    }

    /// The fleet that the options ask for, without filters. Sources that could not be read are named.
    static Fleet read(Arguments arguments, Session session) {
        Duration limit = arguments
                .find(TIMEOUT)
                .map(text -> DurationGrammar.parse(TIMEOUT, text, SHORTEST, LONGEST))
                .orElse(DEFAULT_LIMIT);
        Host host = session.host();
        List<FleetSource> sources = sources(arguments, session);
        FleetReader reader;
        try {
            reader = FleetReader.of(sources);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--source", e);
        }
        Fleet fleet = reader.read(limit);
        if (fleet.sources().stream().noneMatch(source -> source.observedAt().isKnown())) {
            throw new CommandException("no source could be read: "
                    + Printable.of(String.join(
                            "; ",
                            fleet.sources().stream().map(SourceState::failure).toList())));
        }
        note(fleet, session, host.clock().instant());
        return fleet;
    }

    private static FleetSource open(String text, Host host) {
        int colon = text.indexOf(':');
        String word = colon < 0 ? text : text.substring(0, colon);
        Opening opening = OPENINGS.get(word);
        if (opening == null) {
            List<String> words = OPENINGS.keySet().stream().sorted().toList();
            throw new UsageException("--source '" + Printable.of(text) + "' begins with no known word"
                    + UsageException.hintOrAll(word, words, "; words are "));
        }
        try {
            return opening.open(colon < 0 ? "" : text.substring(colon + 1), host);
        } catch (IllegalArgumentException | FleetException | PlanException e) {
            throw new UsageException("--source " + word, e);
        }
    }

    private static FleetSource slurm(String rest, Host host) {
        Map<String, String> variables = host.variables();
        if (rest.isBlank()) {
            return SlurmSource.ofCommands(host.commands(), host.clock(), variables.getOrDefault("SLURM_CONF", ""));
        }
        URI server = URI.create(rest);
        if (server.getHost() == null || !List.of("http", "https").contains(server.getScheme())) {
            throw new IllegalArgumentException("the address of a slurmrestd is written as https://HOST:6820");
        }
        return SlurmSource.ofServer(
                server, variables.getOrDefault("USER", ""), variables.getOrDefault("SLURM_JWT", ""), host.clock());
    }

    private static Path path(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("a file is written as file:PATH");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("there is no such path", e);
        }
    }

    private static void note(Fleet fleet, Session session, Instant now) {
        for (SourceState source : fleet.sources()) {
            if (!source.failure().isBlank()) {
                String age = source.observedAt()
                        .find()
                        .map(time -> "; what is shown of it is "
                                + Duration.between(time, now).toSeconds() + " s old")
                        .orElse("");
                session.note("muster: source " + Printable.of(source.source()) + " could not be read: "
                        + Printable.of(source.failure()) + age);
            }
            List<Gap> gaps = source.gaps();
            gaps.stream().limit(SHOWN_GAPS).forEach(gap -> session.note("muster: " + Printable.of(gap.display())));
            if (gaps.size() > SHOWN_GAPS) {
                session.note("muster: and " + (gaps.size() - SHOWN_GAPS) + " more gaps; see -o json");
            }
        }
    }

    /// The exit code of an answer that is otherwise fine.
    static int exitCode(Arguments arguments, Fleet fleet) {
        boolean partial = fleet.sources().stream()
                .anyMatch(
                        source -> !source.failure().isBlank() || !source.gaps().isEmpty());
        return arguments.has(STRICT) && partial ? ExitCode.PARTIAL : ExitCode.OK;
    }

    /// The hosts that the filters leave.
    static List<FleetHost> filter(Arguments arguments, Fleet fleet) {
        return fleet.hosts().stream().filter(host -> matches(arguments, host)).toList();
    }

    private static boolean matches(Arguments arguments, FleetHost host) {
        boolean state = arguments
                .find(STATE)
                .map(text -> host.state().kind().text().equals(text))
                .orElse(true);
        boolean partition = arguments
                .find(PARTITION)
                .map(name -> host.restrictions().stream()
                        .anyMatch(one -> one.kind() == Restriction.Kind.PARTITION
                                && one.name().equals(name)))
                .orElse(true);
        boolean kind = arguments
                .find(KIND)
                .map(text -> host.accelerators().stream().anyMatch(device -> isOf(device, text)))
                .orElse(true);
        return state
                && partition
                && kind
                && (!arguments.has(FREE) || !host.free().isEmpty());
    }

    private static boolean isOf(AcceleratorProfile device, String text) {
        return FleetText.kind(device).toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
    }
}
