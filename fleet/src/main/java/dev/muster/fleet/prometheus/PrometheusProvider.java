// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.prometheus;

import dev.muster.fleet.FleetSource;
import dev.muster.fleet.FleetSourceContext;
import dev.muster.fleet.FleetSourceProvider;
import dev.muster.fleet.file.TokenFile;
import java.net.URI;
import java.util.List;

/// `prometheus:URL` asks a Prometheus server, or reads an exporter's page.
public final class PrometheusProvider implements FleetSourceProvider {
    private static final SourceOption TOKEN_FILE =
            new SourceOption("prometheus-token-file", "FILE", "file with the bearer token for Prometheus");

    @Override
    public String scheme() {
        return "prometheus";
    }

    @Override
    public String usage() {
        return "prometheus:URL";
    }

    @Override
    public List<SourceOption> options() {
        return List.of(TOKEN_FILE);
    }

    @Override
    public FleetSource open(String text, FleetSourceContext context) {
        return PrometheusSource.of(
                new PrometheusConfig(URI.create(text), TokenFile.read(context, TOKEN_FILE)),
                context.host().clock());
    }
}
