package dev.muster.cli.model;

import dev.muster.cli.render.Count;
import dev.muster.plan.search.ServingRequest;

/// What was asked, for people.
final class RequestText {
    private RequestText() {}

    static String of(ServingRequest request) {
        return Count.of(request.concurrency(), "sequence") + " of " + request.input() + " tokens in and "
                + request.output() + " out, weights as " + request.format() + ", "
                + request.goal().display();
    }
}
