// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.prometheus;

import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.detect.host.Deadline;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.SourceKind;
import dev.muster.fleet.SourceReport;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Hosts by the metrics of their devices, from a Prometheus server or straight from an exporter: those of
/// DCGM's exporter, of AMD's device-metrics-exporter, of nvidia_gpu_exporter, and Muster's own. Says how
/// devices are used now; series that are older than five minutes are left out, and that is a gap. Knows of no
/// scheduler.
///
/// Safe to share between threads.
final class PrometheusSource implements FleetSource {
    /// One series for each device and exporter is enough to know how old the others are.
    private static final List<String> ANCHORS = List.of(
            "DCGM_FI_DEV_GPU_TEMP",
            "DCGM_FI_DEV_FB_USED",
            "nvidia_smi_memory_used_bytes",
            "gpu_used_vram",
            "gpu_total_vram",
            "accel_memory_used_bytes",
            "accel_info");

    private final PrometheusConfig config;
    private final InstantSource clock;
    private final String name;

    private PrometheusSource(PrometheusConfig config, InstantSource clock) {
        this.config = config;
        this.clock = clock;
        this.name = "prometheus:" + config.address();
    }

    /// The source of a server or an exporter; nothing is read yet.
    public static PrometheusSource of(PrometheusConfig config, InstantSource clock) {
        return new PrometheusSource(config, clock);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public SourceReport read(Duration limit) {
        Deadline deadline = Deadline.in(limit);
        try (PrometheusClient client = new PrometheusClient(name, config);
                ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<SourceReport> report =
                    thread.submit(() -> config.isPage() ? page(client, deadline) : server(client, deadline));
            try {
                return report.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException _) {
                throw new FleetException(name + ": it did not answer within " + limit.toSeconds() + " s");
            } catch (ExecutionException e) {
                if (e.getCause() instanceof FleetException told) {
                    throw told;
                }
                throw new IllegalStateException("reading " + name + " failed", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new FleetException(name + ": reading was interrupted", e);
            } finally {
                report.cancel(true);
            }
        }
    }

    private SampledHosts hosts(Instant now) {
        Provenance provenance = Provenance.of(name, Provenance.Method.DOCUMENT, Provenance.Confidence.MEASURED)
                .withObservedAt(now);
        return new SampledHosts(name, provenance, config.address().getHost(), now);
    }

    private SourceReport page(PrometheusClient client, Deadline deadline) throws InterruptedException {
        Instant now = clock.instant();
        SampledHosts hosts = hosts(now);
        List<Gap> gaps = new ArrayList<>();
        try (InputStream body = client.open("", "text/plain;version=0.0.4", deadline)) {
            ExpositionPage page = ExpositionPage.read(body, hosts::add);
            if (page.firstBad() == 1 && hosts.hosts().isEmpty()) {
                throw new FleetException(name + ": the page has no metrics");
            }
            if (page.badLines() > 0) {
                gaps.add(new Gap.Unparsable(
                        name, page.badLines() + " lines are not metrics, such as line " + page.firstBad()));
            }
        } catch (IOException e) {
            throw client.failure(e);
        }
        gaps.addAll(hosts.gaps());
        return new SourceReport(name, SourceKind.METRICS, now, hosts.hosts(), gaps);
    }

    private SourceReport server(PrometheusClient client, Deadline deadline) throws InterruptedException {
        Instant now = clock.instant();
        SampledHosts hosts = hosts(now);
        String times = String.join(
                " or ",
                ANCHORS.stream().map(anchor -> "timestamp(" + anchor + ")").toList());
        query(client, times, deadline, hosts::addTime);
        String all = "{__name__=~\"(amd_)?(" + String.join("|", Metric.names()) + ")\"}";
        query(client, all, deadline, hosts::add);
        return new SourceReport(name, SourceKind.METRICS, now, hosts.hosts(), hosts.gaps());
    }

    private void query(
            PrometheusClient client, String query, Deadline deadline, java.util.function.Consumer<Sample> sink)
            throws InterruptedException {
        String path = "/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8);
        try (InputStream body = client.open(path, "application/json", deadline)) {
            QueryAnswer.read(body, sink);
        } catch (IOException e) {
            throw client.failure(e);
        }
    }
}
