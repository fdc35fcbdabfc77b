// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.source;

import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.FleetSourceContext;
import dev.muster.fleet.FleetSourceProvider;
import dev.muster.fleet.SourceReport;
import dev.muster.fleet.file.FileProvider;
import dev.muster.fleet.kubernetes.KubernetesProvider;
import dev.muster.fleet.prometheus.PrometheusProvider;
import dev.muster.fleet.remote.MusterServerProvider;
import dev.muster.fleet.remote.SshProvider;
import dev.muster.fleet.slurm.SlurmProvider;
import dev.muster.fleet.synthetic.SyntheticProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/// Fleet sources by their text, such as `slurm` or `prometheus:http://host:9090`.
///
/// @since 0.2
public final class FleetSources {
    /// The table of sources that come with Muster.
    private static final List<FleetSourceProvider> BUILT_IN = List.of(
            new SlurmProvider(),
            new KubernetesProvider(),
            new PrometheusProvider(),
            new MusterServerProvider(),
            new SshProvider(),
            new FileProvider(),
            new SyntheticProvider());

    private FleetSources() {}

    /// The sources that come with Muster, in the order of help.
    public static List<FleetSourceProvider> builtIn() {
        return BUILT_IN;
    }

    /// All sources: those that come with Muster, then those that [ServiceLoader] finds.
    public static List<FleetSourceProvider> all() {
        List<FleetSourceProvider> all = new ArrayList<>(BUILT_IN);
        ServiceLoader.load(FleetSourceProvider.class, FleetSources.class.getClassLoader())
                .forEach(all::add);
        return List.copyOf(all);
    }

    /// The provider for the scheme of a text, if there is one. Sources of others are looked for last.
    public static Optional<FleetSourceProvider> find(String text) {
        String scheme = scheme(text);
        return find(BUILT_IN, scheme).or(() -> find(all(), scheme));
    }

    private static Optional<FleetSourceProvider> find(List<FleetSourceProvider> providers, String scheme) {
        return providers.stream()
                .filter(provider -> provider.scheme().equals(scheme))
                .findFirst();
    }

    /// The scheme of a text: the word before the first colon.
    public static String scheme(String text) {
        int colon = text.indexOf(':');
        return colon < 0 ? text : text.substring(0, colon);
    }

    /// Opens the source that a text names. A source that cannot be opened reports that when it is read, so that other
    /// sources go on.
    ///
    /// @throws IllegalArgumentException if the scheme is unknown or the text does not follow its grammar
    public static FleetSource open(String text, FleetSourceContext context) {
        FleetSourceProvider provider = find(text)
                .orElseThrow(() -> new IllegalArgumentException("unknown fleet source '" + scheme(text) + "'"));
        int colon = text.indexOf(':');
        try {
            return provider.open(colon < 0 ? "" : text.substring(colon + 1), context);
        } catch (FleetException e) {
            return new UnopenedSource(text, e);
        }
    }

    /// A source that could not be opened.
    private record UnopenedSource(String name, FleetException reason) implements FleetSource {
        @Override
        public SourceReport read(Duration limit) {
            throw reason;
        }
    }
}
