// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.DurationGrammar;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.detect.Backend;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.host.DetectException;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.RecordedHost;
import dev.muster.report.text.Printable;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A request for a detection: the options beside `--registry`.
///
/// @param arguments the options
/// @param telemetry true to read telemetry
public record DetectionRequest(Arguments arguments, boolean telemetry) {
    private static final String MADE_UP = "--synthetic describes the machine";
    private static final Duration LEAST = Duration.ofMillis(10);
    private static final Duration MOST = Duration.ofMinutes(10);

    /// Reads the options.
    ///
    /// @throws UsageException if they contradict each other or name what is not there
    public static DetectionRequest of(Arguments arguments, boolean telemetry) {
        if (arguments.has(CommonOptions.REGISTRY)) {
            arguments.refuse(CommonOptions.ASKING, "--registry reads a file, not a machine");
        }
        if (arguments.has(CommonOptions.SYNTHETIC)) {
            arguments.refuse(List.of(CommonOptions.REGISTRY), MADE_UP);
            arguments.refuse(CommonOptions.DETECTION, MADE_UP);
        }
        if (arguments.has(CommonOptions.REPLACE)) {
            arguments.refuse(List.of(CommonOptions.ADD, CommonOptions.REMOVE), "--replace replaces all accelerators");
        }
        DetectionRequest request = new DetectionRequest(arguments, telemetry);
        if (arguments.hasAny(CommonOptions.DETECTION)) {
            request.builder();
        }
        return request;
    }

    /// Returns the detection to run. Made at each call: the probes are many classes, and most commands without a
    /// detection load none.
    ///
    /// @throws UsageException if the options contradict each other or name what is not there
    DetectBuilder builder() {
        if (arguments.has(CommonOptions.ONLY) && arguments.has(CommonOptions.WITHOUT)) {
            throw new UsageException("give either --only or --without, not both");
        }
        DetectBuilder builder = DetectBuilder.all();
        if (arguments.has(CommonOptions.ONLY)) {
            builder = DetectBuilder.none();
            for (Backend backend : backends(arguments, CommonOptions.ONLY)) {
                builder = builder.with(backend);
            }
        }
        if (arguments.has(CommonOptions.WITHOUT)) {
            for (Backend backend : backends(arguments, CommonOptions.WITHOUT)) {
                builder = builder.without(backend);
            }
        }
        if (arguments.has(CommonOptions.NO_EXEC)) {
            builder = builder.withoutCommands();
        }
        if (arguments.has(CommonOptions.TIMEOUT)) {
            String time = arguments.find(CommonOptions.TIMEOUT).orElseThrow();
            builder = builder.within(DurationGrammar.parse(CommonOptions.TIMEOUT, time, LEAST, MOST));
        }
        return telemetry ? builder.withTelemetry() : builder;
    }

    private static List<Backend> backends(Arguments arguments, OptionSpec option) {
        List<Backend> backends = new ArrayList<>();
        for (String name : arguments.find(option).orElseThrow().split(",", -1)) {
            backends.add(Backend.find(name.strip()).orElseThrow(() -> unknown(option, name.strip())));
        }
        return backends;
    }

    private static UsageException unknown(OptionSpec option, String name) {
        List<String> names = new ArrayList<>();
        for (Backend backend : Backend.values()) {
            names.add(backend.text());
        }
        return new UsageException("--" + option.name() + ": unknown probe '" + Printable.of(name) + "'"
                + UsageException.hintOrAll(name, names, "; probes are "));
    }

    /// Returns the host that is asked.
    ///
    /// @throws CommandException if the recorded host cannot be opened
    Host host(Host thisHost) {
        Optional<String> bundle = arguments.find(CommonOptions.HOST);
        return bundle.isPresent() ? recorded(bundle.get()) : thisHost;
    }

    /// Returns a recorded host.
    ///
    /// @throws CommandException if it cannot be opened
    public static Host recorded(String bundle) {
        try {
            return RecordedHost.open(Path.of(bundle));
        } catch (DetectException | InvalidPathException e) {
            throw new CommandException("cannot open the recorded host '" + Printable.of(bundle) + "'", e);
        }
    }
}
