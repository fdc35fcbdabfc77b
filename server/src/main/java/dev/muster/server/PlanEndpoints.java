// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.launch.Launcher;
import dev.muster.report.plan.ModelDocument;
import dev.muster.report.plan.ServingDocument;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/// Plans for the devices of the last sample. A plan changes nothing and opens no file: models are sizes and names of
/// the catalogue. One is computed at a time, and few wait. Safe to share between threads; its creator closes it.
final class PlanEndpoints implements AutoCloseable {
    private static final int MOST_WAITING = 8;
    private static final int MOST_SECONDS = 60;

    private final SampleDocuments documents;
    private final Function<ServingOutcome, Optional<String>> picture;
    private final ThreadPoolExecutor worker;

    /// @param picture draws a plan as SVG
    PlanEndpoints(SampleDocuments documents, Function<ServingOutcome, Optional<String>> picture) {
        this.documents = documents;
        this.picture = picture;
        this.worker = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                work -> Thread.ofPlatform().daemon().name("muster-plan").unstarted(work));
    }

    CompletableFuture<Answer> plan(ServerRequest asked) {
        return work(asked, question -> {
            ServingOutcome outcome = question.planner().serve(question.serving(), question.choices());
            JsonObject.Builder document = JsonObject.builder();
            if (ServingDocument.of(outcome, false, Optional.empty()) instanceof JsonObject plan) {
                plan.members().forEach(document::put);
            }
            if (outcome.answer().isFeasible() && outcome.splits().isEmpty()) {
                picture.apply(outcome).ifPresent(svg -> document.put("pictureSvg", svg));
                question.target().ifPresent(target -> launch(outcome, target, document));
            }
            return document.build();
        });
    }

    private static void launch(ServingOutcome outcome, LaunchTarget target, JsonObject.Builder document) {
        switch (Launcher.emit(outcome.answer().findFirst().orElseThrow(), target)) {
            case LaunchAnswer.Emitted emitted ->
                document.put(
                        "artifacts",
                        emitted.artifacts(),
                        artifact -> JsonObject.builder()
                                .put("name", artifact.name())
                                .put("mediaType", artifact.mediaType())
                                .put("text", artifact.text())
                                .build());
            case LaunchAnswer.Refused refused -> document.put("launchRefusal", refused.reason());
        }
    }

    CompletableFuture<Answer> fit(ServerRequest asked) {
        return work(asked, question -> {
            Planner.FitAnswer answer = question.planner().fit(question.serving(), question.choices());
            if (!answer.problem().isEmpty()) {
                throw Refusal.of(422, "cannot-plan", answer.problem());
            }
            return ServingDocument.fits(question.serving(), answer);
        });
    }

    Answer models() {
        return Models.ANSWER;
    }

    private CompletableFuture<Answer> work(ServerRequest asked, Function<PlanQuestion, JsonValue> work) {
        PlanQuestion question = PlanQuestion.read(asked.body(), documents.newest());
        CompletableFuture<Answer> answer;
        try {
            answer = CompletableFuture.supplyAsync(
                    () -> Answer.json(work.apply(question).toText() + "\n", ""), worker);
        } catch (RejectedExecutionException _) {
            throw busy();
        }
        return answer.orTimeout(MOST_SECONDS, TimeUnit.SECONDS).exceptionallyCompose(cause -> {
            Throwable why = cause.getCause() == null ? cause : cause.getCause();
            return CompletableFuture.failedFuture(
                    why instanceof TimeoutException
                            ? busy()
                            : why instanceof IllegalArgumentException
                                    ? Refusal.badRequest(String.valueOf(why.getMessage()))
                                    : why);
        });
    }

    private static Refusal busy() {
        return Refusal.busy("planner-busy", "other plans are being worked out", 10);
    }

    @Override
    public void close() {
        worker.shutdownNow();
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
