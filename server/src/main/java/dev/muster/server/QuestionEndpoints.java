// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.monitor.Sampler.Sample;
import dev.muster.plan.Planner;
import dev.muster.plan.ask.QuestionException;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.report.plan.ModelDocument;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// Questions about models on the devices of the last sample, by the table of parameters. An answer changes nothing and
/// opens no file: models are sizes and names of the catalogue. Safe to share between threads; its creator closes it.
final class QuestionEndpoints implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final SampleDocuments documents;
    private final ServerSources sources;
    private final QuestionWork work = new QuestionWork(LIMIT);

    QuestionEndpoints(SampleDocuments documents, ServerSources sources) {
        this.documents = documents;
        this.sources = sources;
    }

    List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.add(Route.data(
                "/api/v1/models",
                Operation.of("listModels", "Models of the catalogue").answering("Models", "models"),
                new Endpoint.Now(_ -> Models.ANSWER)));
        for (QuestionKind kind : QuestionKind.values()) {
            routes.add(Route.ask(
                    "/api/v1/" + kind.label(), operation(kind), new Endpoint.Later(asked -> answer(kind, asked))));
        }
        return routes;
    }

    private CompletableFuture<Answer> answer(QuestionKind kind, ServerRequest asked) {
        AskedQuestion question = AskedQuestion.read(kind, asked.body());
        Sample sample = documents.newest();
        return work.answer(question.isHeavy(), () -> answer(question, sample)).exceptionallyCompose(cause -> {
            Throwable why = cause instanceof CompletionException && cause.getCause() != null ? cause.getCause() : cause;
            return CompletableFuture.failedFuture(
                    why instanceof QuestionException ? Refusal.badRequest(String.valueOf(why.getMessage())) : why);
        });
    }

    private Answer answer(AskedQuestion question, Sample sample) {
        Planner planner = sources.planner()
                .apply(sample.registry())
                .withToday(sample.at().atZone(ZoneOffset.UTC).toLocalDate());
        return Answer.json(question.answer(planner, sources.fleet()).document().toText() + "\n", "");
    }

    private static Operation operation(QuestionKind kind) {
        Operation operation = switch (kind) {
            case PLAN ->
                Operation.of("plan", "The best way to serve a model; with a load, the best deployment")
                        .answering(
                                "As 'muster plan --json', with the picture and the launch files",
                                "serving-plan",
                                "split-plan",
                                "task-plan",
                                "serving-deployment");
            case SIMULATE ->
                Operation.of("simulate", "Latency and throughput of a model under a load")
                        .answering("As 'muster simulate --json'", "serving-simulation");
            case TRAIN ->
                Operation.of("train", "The best way to train a model")
                        .answering("As 'muster train --json', with the picture and the launch files", "training-plan");
            case FIT ->
                Operation.of(
                                "fit",
                                "The context and the sequences of a model that fit; without a model, those that run")
                        .answering("As 'muster fit --json'", "fit", "models");
            case COST ->
                Operation.of("cost", "The cheapest rented machines that hold a model")
                        .answering("As 'muster cost --json'", "cost");
            case COMPARE ->
                Operation.of("compare", "A model on two machines")
                        .answering("As 'muster compare --json'", "comparison");
            case FLEET_PLAN ->
                Operation.of("planFleet", "The hosts of the fleet for a model, or the room for several")
                        .answering("As 'muster fleet plan --json', with the launch files", "fleet-plan", "capacity");
            case QUANTIZE ->
                Operation.of("quantize", "The format that weights should have; of a size, by ai-hwaccel's rules")
                        .answering("As 'muster quantize --json'", "fit", "quantization");
            case PLAN_RULES ->
                Operation.of("planByRules", "The devices that a model is split over, by ai-hwaccel's rules")
                        .answering("As 'muster plan --rules --json'", "plan");
            case TRAIN_RULES ->
                Operation.of("trainByRules", "The memory of a training, by ai-hwaccel's rules")
                        .answering("As 'muster train --rules --json'", "training");
        };
        return operation.asking(AskedQuestion.schema(kind)).refusing(400, 422, 503);
    }

    @Override
    public void close() {
        work.close();
    }

    /// The catalogue's models, read on first use, which takes a while.
    private static final class Models {
        static final Answer ANSWER = Answer.json(
                ModelDocument.models(ModelCatalogue.builtIn().entries(), List.of())
                                .toText()
                        + "\n",
                "");
    }
}
