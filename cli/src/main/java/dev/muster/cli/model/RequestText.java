package dev.muster.cli.model;

import dev.muster.cli.render.Count;
import dev.muster.plan.memory.PublishedFormat;
import dev.muster.plan.memory.WeightFormat;
import dev.muster.plan.model.ModelArchitecture;
import dev.muster.plan.serving.ServingRequest;

/// What was asked, for people.
final class RequestText {
    private RequestText() {}

    static String of(ServingRequest request) {
        return Count.of(request.concurrency(), "sequence") + " of " + request.input() + " tokens in and "
                + request.output() + " out, weights in " + format(request.format(), request.architecture()) + ", "
                + request.goal().display();
    }

    /// A format, and whether the model is published in it.
    static String format(WeightFormat format, ModelArchitecture architecture) {
        return PublishedFormat.is(format, architecture) ? format.label() + " (as published)" : format.label();
    }
}
