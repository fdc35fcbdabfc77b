// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.Naming;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.report.AnswerReport;
import dev.muster.report.plan.CompareText;
import dev.muster.report.plan.CostText;
import dev.muster.report.plan.ModelDocument;
import dev.muster.report.text.Sentences;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/// Plans for the devices of the last sample. A plan changes nothing and opens no file: models are sizes and names of
/// the catalogue. One is computed at a time, and few wait. Safe to share between threads; its creator closes it.
final class PlanEndpoints implements AutoCloseable {
    /// The kinds of questions that are answered.
    static final List<QuestionKind> KINDS = List.of(
            QuestionKind.PLAN,
            QuestionKind.SIMULATE,
            QuestionKind.TRAIN,
            QuestionKind.FIT,
            QuestionKind.COST,
            QuestionKind.COMPARE);

    private static final Sentences SENTENCES = Sentences.of(Naming.KEYS);
    private static final int MOST_WAITING = 8;
    private static final int MOST_SECONDS = 60;
    private static final int MOST_OFFERS = 10;
    private static final String HERE = "here";

    private final SampleDocuments documents;
    private final Function<AcceleratorRegistry, Planner> planners;
    private final ThreadPoolExecutor worker;

    /// @param planners makes the planner for a registry
    PlanEndpoints(SampleDocuments documents, Function<AcceleratorRegistry, Planner> planners) {
        this.documents = documents;
        this.planners = planners;
        this.worker = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                work -> Thread.ofPlatform().daemon().name("muster-plan").unstarted(work));
    }

    /// Answers a question.
    CompletableFuture<dev.muster.server.Answer> answer(QuestionKind kind, ServerRequest asked) {
        PlanQuestion question = PlanQuestion.read(kind, asked.body());
        AcceleratorRegistry registry = documents.newest().registry();
        LocalDate today = documents.newest().at().atZone(ZoneOffset.UTC).toLocalDate();
        Supplier<JsonValue> work =
                () -> document(question, planners.apply(registry).withToday(today), today);
        CompletableFuture<dev.muster.server.Answer> answer;
        try {
            answer = CompletableFuture.supplyAsync(
                    () -> dev.muster.server.Answer.json(work.get().toText() + "\n", ""), worker);
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

    private static JsonValue document(PlanQuestion asked, Planner planner, LocalDate today) {
        return switch (asked.question()) {
            case Question.Serve question -> {
                Answer.Served answer = question.ask(planner);
                yield drawn(AnswerReport.of(answer), answer.isFeasible(), answer.launch());
            }
            case Question.Deploy question -> {
                Answer.Deployed answer = question.ask(planner);
                yield drawn(AnswerReport.of(answer, planner, false), answer.isFeasible(), answer.launch());
            }
            case Question.Train question -> {
                Answer.Trained answer = question.ask(planner);
                yield drawn(AnswerReport.of(answer), answer.isFeasible(), answer.launch());
            }
            case Question.Simulate question -> {
                Answer.Simulated answer = question.ask(planner);
                AnswerReport report =
                        AnswerReport.of(answer, planner, false).orElseThrow(() -> notSimulated(answer.answer()));
                yield drawn(report, true, Optional.empty());
            }
            case Question.Fit question -> {
                Answer.Fitted answer = question.ask(planner);
                if (answer.answer().problem().isPresent()) {
                    throw Refusal.of(
                            422,
                            "cannot-plan",
                            SENTENCES.complaint(
                                    answer.answer().problem().get(),
                                    answer.answer().remedies()));
                }
                yield AnswerReport.of(answer).words().json();
            }
            case Question.Cost question -> priced(question.ask(planner), planner, today);
            case Question.Compare question -> compared(question, asked.body(), planner);
        };
    }

    /// The document, the picture where there is a plan, and the files that start it.
    private static JsonValue drawn(AnswerReport report, boolean isFeasible, Optional<LaunchAnswer> launch) {
        JsonObject.ObjectBuilder document = JsonObject.builder();
        if (report.words().json() instanceof JsonObject words) {
            words.members().forEach(document::put);
        }
        if (isFeasible) {
            report.picture().ifPresent(picture -> document.put("pictureSvg", picture.get()));
        }
        launch.ifPresent(files -> launch(files, document));
        return document.build();
    }

    private static void launch(LaunchAnswer launch, JsonObject.ObjectBuilder document) {
        switch (launch) {
            case LaunchAnswer.Emitted emitted ->
                document.put(
                        "artifacts",
                        emitted.artifacts(),
                        artifact -> JsonObject.builder()
                                .put("name", artifact.name())
                                .put("mediaType", artifact.mediaType())
                                .put("text", artifact.text())
                                .build());
            case LaunchAnswer.Refused refused -> document.put("launchRefusal", SENTENCES.reason(refused.reason()));
        }
    }

    private static Refusal notSimulated(PlanAnswer<ServingSimulation> answer) {
        return Refusal.of(
                422,
                "cannot-plan",
                answer instanceof PlanAnswer.Unanswered<ServingSimulation> unknown
                        ? SENTENCES.reason(unknown.reason())
                        : "no layout fits");
    }

    private static JsonValue priced(Answer.Priced answer, Planner planner, LocalDate today) {
        int shown = Math.min(MOST_OFFERS, answer.choices().size());
        return new CostText(
                        answer.question().model(),
                        answer.question().request(),
                        answer.choices().subList(0, shown),
                        answer.choices().size(),
                        planner.prices().offers().size(),
                        today)
                .json();
    }

    /// Machines are `here` and hypothetical ones.
    private static JsonValue compared(Question.Compare question, JsonObject body, Planner planner) {
        List<String> machines = body.requireItems(PlanQuestion.MACHINES).stream()
                .map(item -> item instanceof JsonString(String text) ? text : "")
                .toList();
        if (machines.size() != 2) {
            throw Refusal.badRequest("'machines' must be two: here, or hypothetical ones such as h100-sxm:8");
        }
        Answer.Compared answer =
                question.ask(machine(machines.getFirst(), planner), machine(machines.getLast(), planner));
        return new CompareText(question.request(), machines.getFirst(), machines.getLast(), answer.comparison()).json();
    }

    private static Planner machine(String text, Planner planner) {
        return text.equals(HERE) ? planner : Planner.of(WhatIf.synthetic(text, DeviceCatalogue.builtIn()));
    }

    dev.muster.server.Answer models() {
        return Models.ANSWER;
    }

    private static Refusal busy() {
        return Refusal.busy("planner-busy", "too many plans are being computed", 10);
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }

    /// The catalogue's models, read on first use, which takes a while.
    private static final class Models {
        static final dev.muster.server.Answer ANSWER = dev.muster.server.Answer.json(
                ModelDocument.models(ModelCatalogue.builtIn().entries(), List.of())
                                .toText()
                        + "\n",
                "");
    }
}
