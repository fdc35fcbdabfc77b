// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.plan.FleetQuestion;
import dev.muster.fleet.synthetic.SyntheticFleet;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.monitor.SampleHistory;
import dev.muster.monitor.Sampler;
import dev.muster.monitor.metric.MetricNames;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.Naming;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionException;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.report.AnswerReport;
import dev.muster.report.sentence.Sentences;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// One question gets one answer: through options, over HTTP, in Java and by the form of the page, with the same plan
/// and
/// the same launch files, or the same refusal.
class SameAnswerTest {
    private static final int QUESTIONS = 500;
    private static final String TOKEN = "same-answer-token-0123456789";
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-15T08:30:00Z"), ZoneOffset.UTC);
    private static final List<String> HOSTS =
            List.of("h100-sxm:2", "[l40s:4,cpu:256GiB]", "rtx-4090:1", "[mi300x:8,xgmi]");
    private static final String FLEET = "12xh100-sxm:8,6xl40s:4,seed=3";

    private final DrawnQuestion.Source questions = new DrawnQuestion.Source();
    private final MusterRun pipe = MusterRun.inPipe();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Fleet fleet = fleet();

    @Test
    void drawnQuestionsGetOneAnswerThroughEveryInterface() throws IOException, InterruptedException {
        Map<String, Integer> seen = new TreeMap<>();
        for (String hosts : HOSTS) {
            AcceleratorRegistry registry = WhatIf.synthetic(hosts, DeviceCatalogue.builtIn());
            try (Sampler sampler = Sampler.start(
                            () -> registry, Duration.ofMinutes(10), SampleHistory.ofLength(10, 1000), CLOCK);
                    MusterServer server = serve(sampler)) {
                JsonValue described = JsonValue.parse(get(server, "/api/v1/openapi.json"));
                for (int i = 0; i < QUESTIONS / HOSTS.size(); i++) {
                    DrawnQuestion drawn = questions.draw();
                    String outcome = compare(drawn, hosts, registry, server, described);
                    seen.merge(outcome, 1, Integer::sum);
                    seen.merge(drawn.kind().label(), 1, Integer::sum);
                }
            }
        }
        for (QuestionKind kind : QuestionKind.values()) {
            assertThat(seen).containsKey(kind.label());
        }
        for (String outcome : List.of("refused", "reported", "emitted", "not emitted")) {
            assertThat(seen.getOrDefault(outcome, 0)).as(outcome).isGreaterThan(5);
        }
    }

    /// Returns the outcome.
    private String compare(
            DrawnQuestion drawn, String hosts, AcceleratorRegistry registry, MusterServer server, JsonValue described)
            throws IOException, InterruptedException {
        String about = drawn + " on " + hosts;
        JsonObject body = PageForm.of(described, drawn.kind()).body(drawn.texts());
        assertThat(body.toText())
                .as("the form sends %s", about)
                .isEqualTo(drawn.body(described).toText());
        Outcome printed = pipe.run(drawn.words(hosts, "synthetic:" + FLEET));
        JsonValue served = post(server, "/api/v1/" + drawn.kind().label(), body);
        AnswerReport report;
        try {
            Planner planner = Planner.of(registry).withToday(LocalDate.ofInstant(CLOCK.instant(), ZoneOffset.UTC));
            Called called = call(drawn, planner);
            if (!called.reason.isEmpty()) {
                assertThat(served.requireText("code")).as(about).isEqualTo("cannot-plan");
                assertThat(served.requireText("message")).as(about).isEqualTo(called.reason);
                assertThat(printed.err()).as(about).contains(called.reasonOfOptions);
                return "nothing said";
            }
            report = called.report.get();
        } catch (QuestionException e) {
            assertThat(served.requireText("code")).as(about).isEqualTo("bad-request");
            assertThat(served.requireText("message")).as(about).isEqualTo(e.getMessage());
            assertThat(printed.code()).as(about).isEqualTo(ExitCode.USAGE);
            assertThat(printed.err()).as(about).contains(e.sentence(Naming.OPTIONS));
            return "refused";
        }
        assertThat(served.toText()).as(about).isEqualTo(report.document().toText());
        return drawn.values().has(Parameters.EMIT)
                ? compareLaunch(about, printed, report)
                : compareDocument(about, printed, report);
    }

    private static String compareDocument(String about, Outcome printed, AnswerReport report) {
        JsonValue document = report.words().json();
        if (printed.out().isEmpty()) {
            // Nothing can be said: the command says it in a sentence.
            JsonValue said = document.find("serving").orElse(document);
            assertThat(said.find("reason")).as("%s: %s", about, printed.err()).isPresent();
            assertThat(printed.err()).as(about).contains(said.requireText("reason"));
            return "nothing said";
        }
        assertThat(JsonValue.parse(printed.out()).toText()).as(about).isEqualTo(document.toText());
        assertThat(printed.code()).as(about).isEqualTo(report.isFeasible() ? ExitCode.OK : ExitCode.NO);
        return "reported";
    }

    private static String compareLaunch(String about, Outcome printed, AnswerReport report) {
        if (report.launch().isEmpty()) {
            assertThat(printed.code()).as(about).isNotEqualTo(ExitCode.OK);
            return "nothing to start";
        }
        return switch (report.launch().get()) {
            case LaunchAnswer.Emitted _ -> {
                assertThat(JsonValue.parse(printed.out()).find("artifacts"))
                        .as(about)
                        .isEqualTo(report.document().find("artifacts"));
                yield "emitted";
            }
            case LaunchAnswer.Refused(Shortfall reason) -> {
                assertThat(printed.code()).as(about).isEqualTo(ExitCode.NO);
                assertThat(printed.err())
                        .as(about)
                        .contains(Sentences.of(Naming.OPTIONS).reason(reason));
                yield "not emitted";
            }
        };
    }

    /// The answer in Java.
    ///
    /// @param reason reason if there is none; blank otherwise
    /// @param reasonOfOptions the same with the names of options
    /// @param report its report
    private record Called(String reason, String reasonOfOptions, Supplier<AnswerReport> report) {}

    private Called call(DrawnQuestion drawn, Planner planner) {
        if (drawn.kind() == QuestionKind.FLEET_PLAN) {
            FleetQuestion.FleetReply answer =
                    FleetQuestion.of(drawn.summaries(), drawn.values()).ask(fleet, planner::elsewhere);
            return new Called("", "", () -> AnswerReport.of(answer));
        }
        Question question = drawn.model().isEmpty()
                ? Question.recommend(ModelCatalogue.builtIn().entries(), drawn.values())
                : Question.of(drawn.kind(), drawn.summaries().getFirst(), drawn.values());
        Answer answer = question.ask(planner);
        return new Called(
                AnswerReport.reason(answer, Naming.KEYS),
                AnswerReport.reason(answer, Naming.OPTIONS),
                () -> AnswerReport.of(answer, planner, false));
    }

    private static JsonValue parse(HttpResponse<String> answer) {
        return JsonValue.parse(answer.body());
    }

    private JsonValue post(MusterServer server, String path, JsonObject body) throws IOException, InterruptedException {
        return parse(client.send(
                request(server, path)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body.toText()))
                        .build(),
                HttpResponse.BodyHandlers.ofString()));
    }

    private String get(MusterServer server, String path) throws IOException, InterruptedException {
        return client.send(request(server, path).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static HttpRequest.Builder request(MusterServer server, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Authorization", "Bearer " + TOKEN)
                .timeout(Duration.ofMinutes(2));
    }

    private static Fleet fleet() {
        return Fleet.merge(List.of(
                SyntheticFleet.parse(FLEET, DeviceCatalogue.builtIn(), CLOCK).read(Duration.ofMinutes(1))));
    }

    private MusterServer serve(Sampler sampler) {
        ServerConfig config = new ServerConfig(
                List.of(ListenAddress.find("127.0.0.1:0").orElseThrow()),
                Set.of(),
                Optional.of(AccessToken.of(TOKEN)),
                Optional.empty(),
                MetricNames.MUSTER,
                false,
                "host",
                "0");
        ServerSources sources =
                new ServerSources(sampler, Planner::of, List.of(), Optional.of(() -> fleet), List::of, CLOCK);
        return MusterServer.start(config, sources, "test", System.getLogger("dev.muster.test"));
    }
}
