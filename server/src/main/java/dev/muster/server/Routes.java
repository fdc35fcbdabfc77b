// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.monitor.DeviceEvents;
import java.util.ArrayList;
import java.util.List;

/// All routes, and their description. Routes stand in the class of their topic.
final class Routes {
    private final List<Route> all;
    private final Answer description;

    private Routes(List<Route> routes) {
        List<Route> more = new ArrayList<>(routes);
        more.add(Route.open(
                "/api/v1/openapi.json",
                Operation.of("describeApi", "This description")
                        .answeringWith("application/json", "A document of OpenAPI 3.1"),
                new Endpoint.Now(this::describe)));
        this.all = List.copyOf(more);
        this.description = StaticFiles.document(ApiDescription.of(all));
    }

    static Routes of(
            ServerSources sources,
            SampleDocuments documents,
            ServerMetrics metrics,
            RegistryWaits waits,
            DeviceEvents events,
            QuestionEndpoints questions) {
        List<Route> routes = new ArrayList<>(StaticFiles.routes());
        routes.addAll(new HealthEndpoints(documents, metrics).routes());
        routes.addAll(new HostEndpoints(sources, documents, waits, events).routes());
        routes.addAll(new DeviceEndpoints(documents, sources.sampler(), sources.process()).routes());
        routes.addAll(new FleetEndpoint(sources).routes());
        routes.addAll(questions.routes());
        return new Routes(routes);
    }

    List<Route> all() {
        return all;
    }

    Answer description() {
        return description;
    }

    private Answer describe(ServerRequest asked) {
        return description;
    }
}
