// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.evidence.BenchmarkResults;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.Planner;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.report.plan.DeviceCatalogueText;
import dev.muster.report.plan.GapCause;
import dev.muster.report.plan.ObservedText;
import dev.muster.report.plan.RunsText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every kind of document that the sources write has a schema in `docs/schema`. Documents that no command prints
/// without a server or files of results are held to theirs here; [SchemaTest] does the others.
class DocumentKindsTest {
    private static final Path SCHEMAS = Path.of("../docs/schema");
    private static final Pattern DOCUMENT = Pattern.compile("JsonObject\\.document\\(\\s*\"([a-z-]+)\"");

    private static final String RUN = """
            {"backend": "vllm", "model_id": "meta-llama/Llama-3.1-8B-Instruct", "request_rate": "inf",
             "max_concurrency": 16, "completed": 160, "total_input_tokens": 163840, "total_output_tokens": 40960,
             "duration": 20, "output_throughput": 2048, "mean_ttft_ms": 50.0, "median_tpot_ms": 7.5}
            """;

    private final SchemaTest schemas = new SchemaTest();

    @Test
    void everyKindHasASchema() throws IOException {
        Set<String> kinds = new TreeSet<>();
        for (String module :
                List.of("core", "detect", "plan", "evidence", "mesh", "fleet", "report", "server", "cli")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Matcher matcher = DOCUMENT.matcher(Files.readString(file));
                    while (matcher.find()) {
                        kinds.add(matcher.group(1));
                    }
                }
            }
        }

        assertThat(kinds)
                .hasSizeGreaterThan(35)
                .allSatisfy(kind ->
                        assertThat(SCHEMAS.resolve(kind + ".schema.json")).isRegularFile());
    }

    @Test
    void theDeviceCatalogueIsAsDescribed() {
        schemas.assertValid(
                "device-catalogue",
                new DeviceCatalogueText(DeviceCatalogue.builtIn().entries())
                        .json()
                        .toText());
    }

    @Test
    void resultsAreAsDescribed() {
        BenchmarkResults results = results();

        schemas.assertValid(
                "results",
                new RunsText(results, results.learn(ModelCatalogue.builtIn(), DeviceCatalogue.builtIn()), true)
                        .json()
                        .toText());
    }

    @Test
    void anObservedEngineIsAsDescribed() {
        MeasuredRun run = results().runs().getFirst().run();
        GapCause cause = new GapCause("small-batch", "2 requests wait");

        schemas.assertValid(
                "observed",
                new ObservedText("http://host", run, Optional.of(simulation()), "", List.of(cause), true)
                        .json()
                        .toText());
        schemas.assertValid(
                "observed",
                new ObservedText("http://host", run, Optional.empty(), "no model", List.of(), false)
                        .json()
                        .toText());
    }

    private static BenchmarkResults results() {
        BenchmarkResults results = BenchmarkResults.read(
                Map.of("run.json", RUN, "broken.json", "{"), Map.of(Fact.DEVICE, "h100-sxm", Fact.TP, "1"));
        assertThat(results.runs()).hasSize(1);
        assertThat(results.refusals()).hasSize(1);
        return results;
    }

    private static ServingSimulation simulation() {
        AcceleratorRegistry registry = WhatIf.synthetic("h100-sxm:1", DeviceCatalogue.builtIn());
        ServingRequest serving = ServingRequest.of(ModelCatalogue.builtIn()
                        .find("llama-3.1-8b")
                        .orElseThrow()
                        .toSummary())
                .withTokens(1024, 256);
        return Planner.of(registry)
                .simulate(SimulationRequest.of(serving, new ServingLoad.Users(16)), ServingChoices.USUAL)
                .findFirst()
                .orElseThrow();
    }
}
