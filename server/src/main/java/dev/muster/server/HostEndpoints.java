// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.TopologySummary;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.monitor.AlertRule;
import dev.muster.monitor.DeviceEvent;
import dev.muster.monitor.DeviceEvents;
import dev.muster.monitor.Sampler.Sample;
import dev.muster.report.topology.MatrixText;
import dev.muster.report.topology.TopologyPicture;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Endpoints of the host as a whole: registry, load, topology, alerts, events.
///
/// @param sources sources of documents
/// @param documents documents of the newest sample
/// @param waits clients that wait for a newer sample
/// @param events events of devices
record HostEndpoints(ServerSources sources, SampleDocuments documents, RegistryWaits waits, DeviceEvents events) {
    List<Route> routes() {
        return List.of(
                Route.data(
                        "/api/v1/registry",
                        Operation.of(
                                        "readRegistry",
                                        "The newest registry, at once or when there is one after the client's; the"
                                                + " header Muster-Sample has its number")
                                .taking(
                                        "after",
                                        "number of the sample that the client has",
                                        JsonObject.builder()
                                                .put("type", "integer")
                                                .put("minimum", 0L)
                                                .build())
                                .taking(
                                        "wait",
                                        "longest time to wait for a newer one, such as 30s",
                                        JsonObject.builder()
                                                .put("type", "string")
                                                .put("pattern", "^([0-9]|[12][0-9]|30)s?$")
                                                .build())
                                .answering("A registry", "registry")
                                .orEmpty(304, "The one of If-None-Match")
                                .refusing(503),
                        new Endpoint.Later(waits::answer)),
                Route.data(
                        "/api/v1/topology",
                        Operation.of("readTopology", "The devices, processors and links of the host")
                                .taking(
                                        "format",
                                        "json (default) or svg, a picture",
                                        JsonObject.builder()
                                                .put("type", "string")
                                                .put("enum", List.of("json", "svg"), JsonString::new)
                                                .build())
                                .answering("A topology, or its picture", "topology")
                                .refusing(404),
                        new Endpoint.Now(this::topology)),
                Route.data(
                        "/api/v1/alerts",
                        Operation.of(
                                        "listAlerts",
                                        "Rules of --alert, those that fire now, and the newest events of devices")
                                .answering("Rules, alerts and events", "alerts"),
                        new Endpoint.Now(_ -> documents.answer("alerts", sample -> json(alerts(sample), sample)))),
                Route.data(
                        "/api/v1/host",
                        Operation.of(
                                        "readHost",
                                        "The load of the host; little is known of one that is not this machine")
                                .answering("A host", "host"),
                        new Endpoint.Now(_ -> documents.answer("host", sample -> json(host(sample), sample)))),
                Route.data(
                        "/api/v1/events",
                        Operation.of(
                                        "followEvents",
                                        "Server-sent events: sample with what changes of every device; device with a"
                                                + " lost or throttled device, an error or a link that is down; lag where"
                                                + " the client missed samples")
                                .answeringWith("text/event-stream", "Events, until one side ends it")
                                .refusing(503),
                        new Endpoint.Events()));
    }

    private Answer json(JsonValue document, Sample sample) {
        return Answer.json(document.toText() + "\n", documents.tag(sample));
    }

    private Answer topology(ServerRequest asked) {
        return switch (asked.find("format").orElse("json")) {
            case "json" -> documents.answer("topology", sample -> json(MatrixText.json(sample.registry()), sample));
            case "svg" -> documents.answer("topology.svg", this::picture);
            default -> throw Refusal.badRequest("'format' is json or svg");
        };
    }

    private Answer picture(Sample sample) {
        if (sample.registry().profiles().size() > TopologySummary.MOST_DRAWN) {
            throw Refusal.notFound("there are more devices than a picture can show; use format=json");
        }
        return new Answer(
                200,
                "image/svg+xml; charset=utf-8",
                TopologyPicture.of(sample.registry()).getBytes(StandardCharsets.UTF_8),
                documents.tag(sample),
                Map.of());
    }

    private JsonValue alerts(Sample sample) {
        return JsonObject.document("alerts")
                .put("rules", sources.alerts(), rule -> new JsonString(rule.toString()))
                .put(
                        "alerts",
                        AlertRule.examine(sources.alerts(), sample.registry()),
                        alert -> JsonObject.builder()
                                .put("device", alert.device().text())
                                .put("message", alert.device().text() + " " + alert.text())
                                .build())
                .put("events", events.recent(), DeviceEvent::toJson)
                .build();
    }

    private JsonValue host(Sample sample) {
        JsonObject.ObjectBuilder host = JsonObject.document("host").put("number", sample.number());
        sources.host().get().members().forEach(host::put);
        return host.build();
    }
}
