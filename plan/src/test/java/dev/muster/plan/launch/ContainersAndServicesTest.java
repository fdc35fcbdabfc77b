// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import static dev.muster.testing.plan.PlanHosts.hosts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.Planner;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Launches in a container of Docker Compose, as a service of systemd and by Ollama, as far as their programs judge
/// them without starting anything.
class ContainersAndServicesTest {
    @TempDir
    private Path folder;

    private static ServingPlan serving(String model, String format, ServingEngine engine, String host) {
        ServingRequest request = ServingRequest.of(
                        ModelCatalogue.builtIn().find(model).orElseThrow().toSummary())
                .withFormat(WeightFormat.parse(format))
                .withConcurrency(8);
        return Planner.of(hosts(host))
                .serve(request, ServingChoices.USUAL.withEngine(engine).withFormats(List.of(request.format())))
                .answer()
                .findFirst()
                .orElseThrow();
    }

    private static TrainingPlan training(String host) {
        TrainingRequest request = TrainingRequest.of(
                        ModelCatalogue.builtIn()
                                .find("llama-3.1-8b")
                                .orElseThrow()
                                .toSummary(),
                        TrainingMethod.parse("lora"))
                .withBatch(16);
        return Planner.of(hosts(host))
                .train(request, Optional.empty(), false)
                .findFirst()
                .orElseThrow();
    }

    private static List<Artifact> emitted(LaunchAnswer answer) {
        assertThat(answer).isInstanceOf(LaunchAnswer.Emitted.class);
        return ((LaunchAnswer.Emitted) answer).artifacts();
    }

    private static List<List<Artifact>> launches(LaunchTarget target) {
        List<List<Artifact>> all = new ArrayList<>();
        all.add(emitted(Launcher.emit(serving("llama-3.1-8b", "bf16", ServingEngine.VLLM, "h100-sxm:1"), target)));
        all.add(emitted(Launcher.emit(serving("qwen3-32b", "bf16", ServingEngine.SGLANG, "mi300x:2"), target)));
        all.add(emitted(
                Launcher.emit(serving("llama-3.1-8b", "q4_k_m", ServingEngine.LLAMA_CPP, "rtx-4090:2"), target)));
        all.add(emitted(
                Launcher.emit(serving("llama-3.1-70b", "fp8", ServingEngine.TENSORRT_LLM, "h200-sxm:8"), target)));
        all.add(emitted(Launcher.emit(training("h100-sxm:4"), target)));
        return all;
    }

    private List<Path> write(List<Artifact> artifacts, int number) throws IOException {
        Path place = Files.createDirectories(folder.resolve("launch-" + number));
        List<Path> files = new ArrayList<>();
        for (Artifact artifact : artifacts) {
            files.add(Files.writeString(place.resolve(artifact.name()), artifact.text()));
        }
        return files;
    }

    private static String run(Path place, String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words)
                .directory(place.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? output : "status " + process.exitValue() + "\n" + output;
    }

    @Test
    @Needs(programs = "systemd-analyze")
    void systemdTakesTheService() throws Exception {
        int number = 0;
        for (List<Artifact> launch : launches(LaunchTarget.SYSTEMD)) {
            List<Path> files = write(launch, number++);
            assertThat(launch).extracting(Artifact::name).startsWith("model.service", "launch.sh");
            Path unit = files.getFirst();
            assertThat(run(unit.resolveSibling("."), "systemd-analyze", "verify", "--man=no", unit.toString()))
                    .doesNotContain("status", "model.service:");
            Files.writeString(unit, Files.readString(unit).replace("Type=exec", "Type=exce\nMemoryMaximum=1G"));
            assertThat(run(unit.resolveSibling("."), "systemd-analyze", "verify", "--man=no", unit.toString()))
                    .contains("exce", "MemoryMaximum");
        }
    }

    @Test
    @Needs(programs = "docker-compose")
    void dockerComposeTakesTheFile() throws Exception {
        int number = 0;
        for (List<Artifact> launch : launches(LaunchTarget.DOCKER_COMPOSE)) {
            Path file = write(launch, number++).getFirst();
            String read = run(file.resolveSibling("."), "docker-compose", "-f", file.toString(), "config");
            assertThat(read).doesNotStartWith("status").contains("entrypoint:", "- /bin/sh");
            Files.writeString(file, Files.readString(file).replace("working_dir:", "working-dir:"));
            assertThat(run(file.resolveSibling("."), "docker-compose", "-f", file.toString(), "config"))
                    .startsWith("status");
        }
    }

    /// Compose replaces variables in all texts, and takes two dollars for one.
    @Test
    void composeLeavesTheVariablesOfTheScriptAlone() {
        String text = emitted(Launcher.emit(training("h100-sxm:4"), LaunchTarget.DOCKER_COMPOSE))
                .getFirst()
                .text();
        assertThat(text).contains("\"$$@\"").doesNotContain("\"$@\"").contains("HF_TOKEN: \"${HF_TOKEN:-}\"");
    }

    @Test
    void composeGivesTheContainerThePlannedDevicesAlone() {
        String text = emitted(Launcher.emit(
                        serving("llama-3.1-8b", "bf16", ServingEngine.VLLM, "h100-sxm:1"), LaunchTarget.DOCKER_COMPOSE))
                .getFirst()
                .text();
        assertThat(text).contains("driver: nvidia", "count: 1", "- gpu", "\"8000:8000\"", "/health");
    }

    /// The grammar of parser/parser.go: a name of letters, white space, a value to the end of the line.
    @Test
    void ollamaReadsTheModelfile() {
        List<Artifact> launch = emitted(Launcher.emit(
                serving("llama-3.1-8b", "q4_k_m", ServingEngine.LLAMA_CPP, "rtx-4090:2"), LaunchTarget.OLLAMA));
        assertThat(launch).extracting(Artifact::name).containsExactly("launch.sh", "Modelfile");
        List<String> commands = launch.getLast()
                .text()
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
        assertThat(commands)
                .allMatch(line -> line.matches("FROM \\S.*|PARAMETER [A-Za-z0-9_]+ \\d+"))
                .contains("FROM ./model.gguf", "PARAMETER num_gpu 33")
                .anyMatch(line -> line.matches("PARAMETER num_ctx \\d{4,}"));
        assertThat(launch.getFirst().text())
                .contains("OLLAMA_NUM_PARALLEL=4 ", "OLLAMA_HOST=127.0.0.1:8001 ollama serve")
                .doesNotContain("OLLAMA_SCHED_SPREAD");
        assertThat(emitted(Launcher.emit(
                                serving("llama-3.1-70b", "q4_k_m", ServingEngine.LLAMA_CPP, "rtx-4090:2"),
                                LaunchTarget.OLLAMA))
                        .getFirst()
                        .text())
                .contains("OLLAMA_SCHED_SPREAD=1");
    }

    @Test
    void composeOfSeveralHostsIsRefused() {
        LaunchAnswer answer = Launcher.emit(
                serving("llama-3.1-405b", "bf16", ServingEngine.VLLM, "2x[h100-sxm:8 nvswitch ib:8x400]"),
                LaunchTarget.DOCKER_COMPOSE);
        assertThat(answer).isInstanceOf(LaunchAnswer.Refused.class);
    }
}
