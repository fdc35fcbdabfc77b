// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.fleet;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Session;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.FleetSourceContext;
import dev.muster.fleet.FleetSourceProvider;
import dev.muster.fleet.FleetSourceProvider.SourceOption;
import dev.muster.fleet.source.FleetSources;
import dev.muster.report.text.Printable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The grammar of fleet sources as options: `--source` of `muster fleet`, and the options of single sources.
public final class FleetSourceOptions {
    public static final List<OptionSpec> ALL = options();

    private FleetSourceOptions() {}

    private static List<OptionSpec> options() {
        List<OptionSpec> options = new ArrayList<>();
        for (FleetSourceProvider provider : FleetSources.builtIn()) {
            for (SourceOption option : provider.options()) {
                options.add(
                        option.value().isBlank()
                                ? OptionSpec.flag(option.name(), option.help())
                                : OptionSpec.value(option.name(), option.value(), option.help()));
            }
        }
        return List.copyOf(options);
    }

    /// The grammar of all sources in help.
    static String usage() {
        List<String> usages = new ArrayList<>();
        FleetSources.builtIn().forEach(provider -> usages.add(provider.usage()));
        return String.join(", ", usages);
    }

    /// The source that a text names. A source that cannot be opened is named when it is read, and the others go on.
    ///
    /// @param option the option with the text
    /// @throws UsageException if the text is wrong
    static FleetSource open(OptionSpec option, String text, Arguments arguments, Session session) {
        String scheme = FleetSources.scheme(text);
        if (FleetSources.find(text).isEmpty()) {
            List<String> schemes = FleetSources.all().stream()
                    .map(FleetSourceProvider::scheme)
                    .sorted()
                    .toList();
            throw new UsageException(
                    "--" + option.name() + " '" + Printable.of(text) + "' does not start with a known scheme"
                            + UsageException.hintOrAll(scheme, schemes, "; schemes are "));
        }
        Map<String, String> options = new HashMap<>();
        for (OptionSpec one : ALL) {
            if (arguments.has(one)) {
                options.put(one.name(), arguments.find(one).orElse(""));
            }
        }
        try {
            return FleetSources.open(text, new FleetSourceContext(session.host(), session.log(), options));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--" + option.name() + " " + scheme, e);
        }
    }
}
