// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.monitor.Sampler;
import dev.muster.monitor.Sampler.Sample;
import dev.muster.monitor.metric.MetricFamily;
import dev.muster.monitor.metric.MetricKind;
import dev.muster.monitor.metric.MetricsText;
import dev.muster.monitor.metric.MetricsText.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The `/metrics` of the newest sample's devices, and of the server itself. Before the first sample there is only the
/// latter: `muster_up` is told from the first scrape on. Safe to share between threads.
final class ServerMetrics {
    private static final double MILLIS = 1000;

    private final ServerConfig config;
    private final ServerSources sources;
    private final SampleDocuments documents;
    private final MetricsText text;

    ServerMetrics(ServerConfig config, ServerSources sources, SampleDocuments documents) {
        this.config = config;
        this.sources = sources;
        this.documents = documents;
        this.text = MetricsText.of(config.metricNames(), config.hostName());
    }

    Answer answer(String accept) {
        Form form = Form.accepted(accept);
        Sampler sampler = sources.sampler();
        if (sampler.newest().isEmpty()) {
            byte[] body = text.write(AcceleratorRegistry.of(List.of()), own(false), form);
            return new Answer(200, form.contentType(), body, "", Map.of());
        }
        // A failure after the sample changes the text too.
        boolean failed = sampler.failure().isPresent();
        return documents.answer("metrics " + form + failed, sample -> {
            List<MetricFamily> more = new ArrayList<>(own(true));
            more.addAll(ofSample(sample));
            more.addAll(sources.metrics().get());
            return new Answer(200, form.contentType(), text.write(sample.registry(), more, form), "", Map.of());
        });
    }

    private List<MetricFamily> own(boolean up) {
        return List.of(
                MetricFamily.of(
                        "muster_up",
                        MetricKind.GAUGE,
                        "1 if the last detection succeeded, else 0.",
                        up && sources.sampler().failure().isEmpty() ? 1 : 0),
                new MetricFamily(
                        "muster_build_info",
                        MetricKind.LABELS,
                        "Version of Muster.",
                        List.of(new MetricFamily.MetricPoint(Map.of("version", config.version()), 1))));
    }

    private List<MetricFamily> ofSample(Sample sample) {
        double seconds = sample.at().toEpochMilli() / MILLIS;
        return List.of(
                MetricFamily.of("muster_samples", MetricKind.COUNTER, "Detection runs since the start.", (double)
                        sample.number()),
                MetricFamily.of(
                        "muster_sample_timestamp_seconds",
                        MetricKind.GAUGE,
                        "Start time of the last detection, in seconds since 1970.",
                        seconds),
                MetricFamily.of(
                        "muster_gaps",
                        MetricKind.GAUGE,
                        "Facts that the last detection could not determine.",
                        sample.registry().gaps().size()));
    }
}
