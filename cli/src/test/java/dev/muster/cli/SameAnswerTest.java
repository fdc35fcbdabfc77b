// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.WeightFormat;
import dev.muster.monitor.SampleHistory;
import dev.muster.monitor.Sampler;
import dev.muster.monitor.metric.MetricNames;
import dev.muster.plan.Planner;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.Parameter;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionException;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.cost.MemoryBasis;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.launch.Artifact;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.training.TrainingGoal;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.report.AnswerReport;
import dev.muster.server.AccessToken;
import dev.muster.server.ListenAddress;
import dev.muster.server.MusterServer;
import dev.muster.server.ServerConfig;
import dev.muster.server.ServerSources;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// One question gets one answer: through options, over HTTP and in Java, with the same plan and the same launch files.
class SameAnswerTest {
    private static final int QUESTIONS = 500;
    private static final String TOKEN = "same-answer-token-0123456789";
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-15T08:30:00Z"), ZoneOffset.UTC);
    private static final List<String> HOSTS =
            List.of("h100-sxm:2", "[l40s:4,cpu:256GiB]", "rtx-4090:1", "[mi300x:8,xgmi]");
    private static final List<String> MODELS =
            List.of("llama-3.1-8b", "qwen3-32b", "llama-3.1-70b", "gpt-oss-20b", "70B");

    private final Random random = new Random(Long.getLong("tests.seed", 20_261_118L));
    private final MusterRun pipe = MusterRun.inPipe();
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void drawnQuestionsGetOneAnswerThroughEveryInterface() throws IOException, InterruptedException {
        int fitting = 0;
        int refused = 0;
        int launched = 0;
        for (String hosts : HOSTS) {
            AcceleratorRegistry registry = WhatIf.synthetic(hosts, DeviceCatalogue.builtIn());
            try (Sampler sampler = Sampler.start(
                            () -> registry, Duration.ofMinutes(10), SampleHistory.ofLength(10, 1000), CLOCK);
                    MusterServer server = serve(sampler)) {
                for (int i = 0; i < QUESTIONS / HOSTS.size(); i++) {
                    Drawn drawn = draw();
                    Outcome printed = printed(drawn, hosts);
                    JsonValue served = served(drawn, server);
                    Optional<JsonValue> called = called(drawn, registry);
                    String about = drawn + " on " + hosts;
                    if (called.isEmpty()) {
                        assertThat(printed.code()).as(about).isEqualTo(ExitCode.USAGE);
                        assertThat(served.requireText("kind")).as(about).isEqualTo("error");
                        refused++;
                    } else if (drawn.values.has(Parameters.EMIT)) {
                        assertSameLaunch(about, printed, served, called.get());
                        launched += called.get().find("artifacts").isPresent() ? 1 : 0;
                    } else {
                        assertSameDocument(about, printed, served, called.get());
                        fitting += printed.code() == ExitCode.OK ? 1 : 0;
                    }
                }
            }
        }
        assertThat(List.of(fitting, launched, refused))
                .allSatisfy(count -> assertThat(count).isGreaterThan(20));
    }

    private static void assertSameDocument(String about, Outcome printed, JsonValue served, JsonValue called) {
        if (served.requireText("kind").equals("error")) {
            assertThat(served.requireText("message")).as(about).isEqualTo(called.requireText("reason"));
        } else {
            assertThat(without(served, "pictureSvg").toText()).as(about).isEqualTo(called.toText());
        }
        if (printed.out().isEmpty()) {
            // Nothing can be said: the command says it in a sentence.
            assertThat(called.find("reason")).as(about + ": " + printed.err()).isPresent();
            assertThat(printed.err()).as(about).contains(called.requireText("reason"));
        } else {
            assertThat(JsonValue.parse(printed.out()).toText()).as(about).isEqualTo(called.toText());
        }
    }

    private static void assertSameLaunch(String about, Outcome printed, JsonValue served, JsonValue called) {
        Optional<JsonValue> files = called.find("artifacts");
        assertThat(served.find("artifacts")).as(about).isEqualTo(files);
        assertThat(served.find("launchRefusal")).as(about).isEqualTo(called.find("launchRefusal"));
        if (files.isPresent()) {
            assertThat(JsonValue.parse(printed.out()).find("artifacts"))
                    .as(about)
                    .isEqualTo(files);
        } else {
            assertThat(printed.code()).as(about).isNotEqualTo(ExitCode.OK);
        }
    }

    private static JsonValue without(JsonValue document, String name) {
        JsonObject.ObjectBuilder rest = JsonObject.builder();
        ((JsonObject) document).members().forEach((key, value) -> {
            if (!key.equals(name)) {
                rest.put(key, value);
            }
        });
        return rest.build();
    }

    /// A question.
    private record Drawn(QuestionKind kind, String model, ParameterValues values) {
        @Override
        public String toString() {
            return kind.label() + " " + model + " " + String.join(" ", values.toOptions());
        }
    }

    private Drawn draw() {
        QuestionKind kind = of(
                QuestionKind.PLAN,
                QuestionKind.PLAN,
                QuestionKind.PLAN,
                QuestionKind.FIT,
                QuestionKind.TRAIN,
                QuestionKind.TRAIN);
        ParameterValues values = ParameterValues.NONE;
        values = maybe(values, Parameters.MEMORY, of(MemoryBasis.values()));
        values = maybe(values, Parameters.DEVICES, of("all", "free", "0"));
        return new Drawn(
                kind,
                of(MODELS.toArray(new String[0])),
                switch (kind) {
                    case TRAIN -> training(values);
                    case FIT -> maybe(maybe(values, Parameters.CONTEXT, of(1024, 8192)), Parameters.HOSTS, of(1, 2));
                    default -> random.nextInt(6) == 0 ? load(values) : serving(values);
                });
    }

    private ParameterValues serving(ParameterValues values) {
        values = maybe(values, Parameters.CONTEXT, of(2, 1024, 8192, 40_000));
        values = maybe(values, Parameters.GENERATE, of(1, 200, 2000));
        values = maybe(values, Parameters.CONCURRENCY, of(1, 7, 64, 300));
        values = maybe(values, Parameters.GOAL, of(ServingGoal.values()));
        values = maybe(values, Parameters.MAX_TPOT, of(Duration.ofMillis(5), Duration.ofMillis(40)));
        values = maybe(values, Parameters.MAX_TTFT, of(Duration.ofMillis(1500), Duration.ofSeconds(20)));
        values = maybe(values, Parameters.BUDGET, of(2.5, 100.0));
        values = maybe(values, Parameters.ENGINE, of(ServingEngine.values()));
        values = maybe(
                values,
                Parameters.FORMATS,
                of(
                        List.of(WeightFormat.parse("fp8")),
                        List.of(WeightFormat.parse("q4_k_m")),
                        List.of(WeightFormat.parse("bf16"), WeightFormat.parse("int4"))));
        values = random.nextInt(8) == 0 ? values.with(Parameters.OFFLOAD, true) : values;
        values = random.nextInt(8) == 0 ? values.with(Parameters.PARETO, true) : values;
        return random.nextInt(3) == 0 ? values.with(Parameters.EMIT, of(LaunchTarget.values())) : values;
    }

    private ParameterValues load(ParameterValues values) {
        values = values.with(Parameters.USERS, of(2, 6)).with(Parameters.REQUESTS, 20);
        values = maybe(values, Parameters.RATE, of(0.5));
        values = maybe(values, Parameters.INPUT, of(100, 900));
        return random.nextInt(3) == 0 ? values.with(Parameters.EMIT, of(LaunchTarget.values())) : values;
    }

    private ParameterValues training(ParameterValues values) {
        values = maybe(values, Parameters.METHOD, of(TrainingMethod.parse("lora"), TrainingMethod.parse("qlora-4bit")));
        values = maybe(values, Parameters.SEQUENCE, of(512, 8192));
        values = maybe(values, Parameters.BATCH, of(8, 64));
        values = maybe(values, Parameters.RANK, of(8));
        values = maybe(values, Parameters.TRAINING_GOAL, of(TrainingGoal.values()));
        values = maybe(values, Parameters.TRAINING_OFFLOAD, of(Offload.values()));
        values = maybe(values, Parameters.TOKENS, of(1e9, 3e11));
        values = maybe(values, Parameters.DEADLINE, of(Duration.ofDays(2)));
        return random.nextInt(4) == 0 ? values.with(Parameters.EMIT, of(LaunchTarget.values())) : values;
    }

    private <T> ParameterValues maybe(ParameterValues values, Parameter<T> parameter, T value) {
        return random.nextInt(4) == 0 ? values.with(parameter, value) : values;
    }

    @SafeVarargs
    private <T> T of(T... values) {
        return values[random.nextInt(values.length)];
    }

    private Outcome printed(Drawn drawn, String hosts) {
        List<String> words = new ArrayList<>(List.of(drawn.kind.label(), drawn.model));
        words.addAll(drawn.values.toOptions());
        words.addAll(List.of("--json", "--synthetic", hosts));
        return pipe.run(words);
    }

    private JsonValue served(Drawn drawn, MusterServer server) throws IOException, InterruptedException {
        JsonObject.ObjectBuilder body = JsonObject.builder().put("model", drawn.model);
        drawn.values.toJson().members().forEach(body::put);
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + server.port() + "/api/v1/" + drawn.kind.label()))
                        .header("Authorization", "Bearer " + TOKEN)
                        .header("Content-Type", "application/json")
                        .timeout(Duration.ofMinutes(2))
                        .POST(HttpRequest.BodyPublishers.ofString(body.build().toText()))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return JsonValue.parse(answer.body());
    }

    /// Empty where the question is refused.
    private static Optional<JsonValue> called(Drawn drawn, AcceleratorRegistry registry) {
        ModelSummary model = drawn.model.equals("70B")
                ? ModelSummary.ofSize("70B", dev.muster.model.ModelSize.parse("70B"))
                : ModelCatalogue.builtIn().find(drawn.model).orElseThrow().toSummary();
        Planner planner = Planner.of(registry).withToday(LocalDate.ofInstant(CLOCK.instant(), ZoneOffset.UTC));
        try {
            Question question = switch (drawn.kind) {
                case TRAIN -> Question.train(model, drawn.values);
                case FIT -> Question.fit(model, drawn.values);
                default -> Question.plan(model, drawn.values);
            };
            return Optional.of(
                    switch (question.ask(planner)) {
                        case Answer.Served answer -> launched(AnswerReport.of(answer), answer.launch());
                        case Answer.Deployed answer ->
                            launched(AnswerReport.of(answer, planner, false), answer.launch());
                        case Answer.Trained answer -> launched(AnswerReport.of(answer), answer.launch());
                        case Answer.Fitted answer ->
                            answer.answer().problem().isEmpty()
                                    ? AnswerReport.of(answer).words().json()
                                    : JsonObject.builder()
                                            .put("reason", answer.answer().problem())
                                            .build();
                        default -> throw new AssertionError("not drawn");
                    });
        } catch (QuestionException _) {
            return Optional.empty();
        }
    }

    private static JsonValue launched(AnswerReport report, Optional<LaunchAnswer> launch) {
        JsonObject.ObjectBuilder document = JsonObject.builder();
        ((JsonObject) report.words().json()).members().forEach(document::put);
        launch.ifPresent(files -> {
            switch (files) {
                case LaunchAnswer.Emitted(List<Artifact> artifacts) ->
                    document.put(
                            "artifacts",
                            artifacts,
                            one -> JsonObject.builder()
                                    .put("name", one.name())
                                    .put("mediaType", one.mediaType())
                                    .put("text", one.text())
                                    .build());
                case LaunchAnswer.Refused(String reason) -> document.put("launchRefusal", new JsonString(reason));
            }
        });
        return document.build();
    }

    private static MusterServer serve(Sampler sampler) {
        ServerConfig config = new ServerConfig(
                List.of(ListenAddress.find("127.0.0.1:0").orElseThrow()),
                Set.of(),
                Optional.of(AccessToken.of(TOKEN)),
                Optional.empty(),
                MetricNames.MUSTER,
                false,
                "host",
                "0");
        ServerSources sources = new ServerSources(
                sampler,
                _ -> JsonObject.document("topology").build(),
                _ -> Optional.empty(),
                Planner::of,
                _ -> JsonObject.document("alerts").build(),
                Optional.empty(),
                List::of,
                CLOCK);
        return MusterServer.start(config, sources, "test", System.getLogger("dev.muster.test"));
    }
}
