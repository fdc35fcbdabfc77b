// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.monitor.Sampler.Sample;
import dev.muster.plan.ask.QuestionKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// All routes, as one table. `page/openapi.json` describes it, and a test compares the two.
final class Routes {
    private final List<Route> all;

    private Routes(List<Route> all) {
        this.all = List.copyOf(all);
    }

    static Routes of(
            ServerSources sources,
            SampleDocuments documents,
            ServerMetrics metrics,
            RegistryWaits waits,
            PlanEndpoints plans) {
        List<Route> routes = new ArrayList<>(StaticFiles.routes());
        Answer healthy = Answer.text("ok\n");
        routes.add(Route.open("/healthz", new Endpoint.Now(_ -> healthy)));
        routes.add(Route.open("/-/healthy", new Endpoint.Now(_ -> healthy)));
        routes.add(Route.open("/-/ready", new Endpoint.Now(_ -> {
            documents.newest();
            return healthy;
        })));
        routes.add(new Route(
                "GET", "/metrics", Route.Guard.METRICS, new Endpoint.Now(asked -> metrics.answer(asked.accept()))));
        routes.add(Route.open("/api/v1/openapi.json", described()));
        DeviceEndpoints devices = new DeviceEndpoints(documents, sources.sampler());
        routes.add(Route.data("/api/v1/registry", new Endpoint.Later(waits::answer)));
        routes.add(Route.data("/api/v1/topology", new Endpoint.Now(asked -> topology(asked, sources, documents))));
        routes.add(Route.data("/api/v1/devices", new Endpoint.Now(_ -> devices.list())));
        routes.add(Route.data("/api/v1/devices/{id}", new Endpoint.Now(devices::one)));
        routes.add(Route.data("/api/v1/devices/{id}/history", new Endpoint.Now(devices::history)));
        routes.add(Route.data("/api/v1/processes", new Endpoint.Now(_ -> devices.processes())));
        routes.add(Route.data(
                "/api/v1/alerts",
                ofSample(documents, "alerts", sample -> sources.alerts().apply(sample.registry()))));
        routes.add(Route.data("/api/v1/fleet", new Endpoint.Now(_ -> fleet(sources))));
        routes.add(Route.data("/api/v1/models", new Endpoint.Now(_ -> plans.models())));
        for (QuestionKind kind : PlanEndpoints.KINDS) {
            routes.add(Route.ask("/api/v1/" + kind.label(), new Endpoint.Later(asked -> plans.answer(kind, asked))));
        }
        routes.add(Route.data("/api/v1/events", new Endpoint.Events()));
        return new Routes(routes);
    }

    List<Route> all() {
        return all;
    }

    private static Endpoint described() {
        Answer answer = StaticFiles.description();
        return new Endpoint.Now(_ -> answer);
    }

    private static Endpoint ofSample(SampleDocuments documents, String name, Function<Sample, JsonValue> make) {
        return new Endpoint.Now(_ -> documents.answer(
                name, sample -> Answer.json(make.apply(sample).toText() + "\n", documents.tag(sample))));
    }

    private static Answer topology(ServerRequest asked, ServerSources sources, SampleDocuments documents) {
        String format = asked.find("format").orElse("json");
        return switch (format) {
            case "json" ->
                documents.answer(
                        "topology",
                        sample -> Answer.json(
                                sources.topology().apply(sample.registry()).toText() + "\n", documents.tag(sample)));
            case "svg" -> documents.answer("topology.svg", sample -> picture(sample, sources, documents));
            default -> throw Refusal.badRequest("'format' is json or svg");
        };
    }

    private static Answer picture(Sample sample, ServerSources sources, SampleDocuments documents) {
        Optional<String> svg = sources.picture().apply(sample.registry());
        if (svg.isEmpty()) {
            throw Refusal.notFound("there are more devices than a picture can show; use format=json");
        }
        return new Answer(
                200,
                "image/svg+xml; charset=utf-8",
                svg.get().getBytes(StandardCharsets.UTF_8),
                documents.tag(sample),
                Map.of());
    }

    /// Returns the fleet; refuses without a source.
    private static Answer fleet(ServerSources sources) {
        JsonValue document = sources.fleet()
                .map(Supplier::get)
                .orElseGet(() -> JsonObject.document("fleet-summary")
                        .put("hosts", List.of())
                        .put("sources", List.of())
                        .build());
        return Answer.json(document.toText() + "\n", "");
    }
}
