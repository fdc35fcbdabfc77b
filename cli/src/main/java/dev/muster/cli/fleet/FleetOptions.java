// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.fleet;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.DurationGrammar;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Session;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.Gap;
import dev.muster.detect.host.Host;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.Fleet.SourceState;
import dev.muster.fleet.FleetHost;
import dev.muster.fleet.FleetReader;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.FleetWatch;
import dev.muster.fleet.HostState;
import dev.muster.fleet.Restriction;
import dev.muster.report.host.FleetText;
import dev.muster.report.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Options of `muster fleet`: which sources are asked, and which hosts are shown.
public final class FleetOptions {
    /// Sources of hosts, for a command that plans on one machine otherwise.
    public static final OptionSpec FLEET = OptionSpec.value(
            "fleet",
            "SOURCE...",
            "plan for free hosts of a fleet, as 'fleet plan' does: slurm, file:PATH, ...; may be repeated");
    public static final OptionSpec SOURCES = OptionSpec.value(
            "source", "SOURCE...", "sources of hosts (default: slurm), may be repeated: " + FleetSourceOptions.usage());
    static final OptionSpec TIMEOUT =
            OptionSpec.value("timeout", "TIME", "timeout of all sources together (default: 10s)");
    static final OptionSpec STRICT =
            OptionSpec.flag("strict", "exit with code 4 if a source or a host could not be read");
    static final OptionSpec STATE = OptionSpec.choice(
            "state",
            "STATE",
            Arrays.stream(HostState.HostStateKind.values())
                    .map(HostState.HostStateKind::text)
                    .toList(),
            "only hosts in this state: ready, draining, down or unknown");
    static final OptionSpec PARTITION = OptionSpec.value("partition", "NAME", "only hosts of this partition");
    static final OptionSpec FREE = OptionSpec.flag("free", "only hosts with a free device");
    static final OptionSpec KIND =
            OptionSpec.value("kind", "NAME", "only hosts with devices whose name contains this, such as H100");
    /// The options of every word but `diff`.
    static final List<OptionSpec> ALL = all();

    /// The options that select a single machine; `--timeout` has a meaning of its own here.
    private static final List<OptionSpec> OF_ONE_MACHINE = CommonOptions.SOURCE.stream()
            .filter(option -> !option.name().equals(TIMEOUT.name()))
            .toList();

    private static final Duration DEFAULT_LIMIT = Duration.ofSeconds(10);
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofMinutes(30);
    private static final int SHOWN_GAPS = 5;

    private FleetOptions() {}

    /// Follows the sources that the options name.
    public static FleetWatch watch(Arguments arguments, Session session, Duration interval) {
        List<FleetSource> sources = sources(arguments, session);
        try {
            return FleetWatch.start(sources, interval, DEFAULT_LIMIT);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--" + option(arguments).name(), e);
        }
    }

    /// `plan --fleet` names sources by the option itself.
    private static List<FleetSource> sources(Arguments arguments, Session session) {
        List<FleetSource> sources = new ArrayList<>();
        OptionSpec option = option(arguments);
        for (String text : arguments.find(option).orElse("slurm").split("\n", -1)) {
            sources.add(FleetSourceOptions.open(option, text, arguments, session));
        }
        return sources;
    }

    private static OptionSpec option(Arguments arguments) {
        return arguments.has(FLEET) ? FLEET : SOURCES;
    }

    private static List<OptionSpec> all() {
        List<OptionSpec> all = new ArrayList<>(List.of(SOURCES, TIMEOUT, STRICT, STATE, PARTITION, FREE, KIND));
        all.addAll(FleetSourceOptions.ALL);
        return List.copyOf(all);
    }

    /// Returns the fleet that the options ask for, without filters. Sources that could not be read are named.
    public static Fleet read(Arguments arguments, Session session) {
        arguments.refuse(OF_ONE_MACHINE, "a fleet is read from its sources");
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
            throw new UsageException("--" + option(arguments).name(), e);
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

    private static void note(Fleet fleet, Session session, Instant now) {
        for (SourceState source : fleet.sources()) {
            if (!source.failure().isBlank()) {
                String age = source.observedAt()
                        .find()
                        .map(time -> "; showing data that is "
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

    /// Returns the exit code of an answer that is otherwise fine.
    static int exitCode(Arguments arguments, Fleet fleet) {
        boolean partial = fleet.sources().stream()
                .anyMatch(
                        source -> !source.failure().isBlank() || !source.gaps().isEmpty());
        return arguments.has(STRICT) && partial ? ExitCode.PARTIAL : ExitCode.OK;
    }

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
                        .anyMatch(one -> one.kind() == Restriction.RestrictionKind.PARTITION
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
