// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.util.List;

/// Endpoints for those that watch the server itself: its health, and metrics.
///
/// @param documents documents of the newest sample
/// @param metrics metrics of the host and of the server
record HealthEndpoints(SampleDocuments documents, ServerMetrics metrics) {
    private static final Answer HEALTHY = Answer.text("ok\n");

    List<Route> routes() {
        Endpoint healthy = new Endpoint.Now(_ -> HEALTHY);
        return List.of(
                Route.open(
                        "/healthz",
                        Operation.of("isAlive", "Whether the process answers").answeringWith("text/plain", "It does"),
                        healthy),
                Route.open(
                        "/-/healthy",
                        Operation.of("isHealthy", "The same, by Prometheus' name")
                                .answeringWith("text/plain", "It does"),
                        healthy),
                Route.open(
                        "/-/ready",
                        Operation.of("isReady", "Whether the host was sampled")
                                .answeringWith("text/plain", "It was")
                                .refusing(503),
                        new Endpoint.Now(_ -> {
                            documents.newest();
                            return HEALTHY;
                        })),
                new Route(
                        "GET",
                        "/metrics",
                        Route.Guard.METRICS,
                        Operation.of("readMetrics", "Metrics for Prometheus; OpenMetrics where Accept asks for it")
                                .answeringWith("text/plain", "Text of version 0.0.4, or OpenMetrics 1.0"),
                        new Endpoint.Now(asked -> metrics.answer(asked.accept()))));
    }
}
