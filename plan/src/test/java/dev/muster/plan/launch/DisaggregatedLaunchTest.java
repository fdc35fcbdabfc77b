// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import static dev.muster.testing.plan.PlanHosts.hosts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.Planner;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.testing.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Launches of deployments whose prefill and decode are disaggregated: what the plan says is read back from the
/// scripts,
/// each of which `sh` runs on every host with a recorder in place of its program.
class DisaggregatedLaunchTest {
    private static final int DRAWN = 40;
    private static final List<String> MACHINES = List.of(
            "h100-sxm:8",
            "h200-sxm:4",
            "2x[h100-sxm:8 nvswitch ib:8x400]",
            "3x[h200-sxm:8 nvswitch ib:8x400]",
            "4x[b200-sxm:4 ib:4x400]");

    @TempDir
    Path folder;

    private final Random random = new Random(11);

    /// A server as it was started.
    private record Server(List<String> words, Map<String, String> variables) {
        String option(String name) {
            int at = words.lastIndexOf(name);
            return at < 0 ? "1" : words.get(at + 1);
        }

        List<String> all(String name) {
            List<String> values = new ArrayList<>();
            for (int i = 0; i < words.size(); i++) {
                if (words.get(i).equals(name)) {
                    values.add(words.get(i + 1));
                }
            }
            return values;
        }
    }

    @Test
    void everyServerAndTheRouterAreAsPlanned() throws IOException, InterruptedException {
        int launched = 0;
        int refused = 0;
        while (launched < DRAWN) {
            ServingEngine engine = any(List.of(ServingEngine.VLLM, ServingEngine.SGLANG));
            int tensor = any(List.of(1, 2, 4, 8));
            int prefill = random.nextInt(1, 5);
            int decode = random.nextInt(1, 5);
            String machine = any(MACHINES);
            Optional<DeploymentPlan> deployment = disaggregated(machine, engine, tensor, prefill, decode);
            if (deployment.isEmpty()) {
                continue;
            }
            LaunchTarget target = LaunchTarget.find(engine.label()).orElseThrow();
            switch (Launcher.emit(deployment.get(), target)) {
                case LaunchAnswer.Emitted(List<Artifact> artifacts) -> {
                    check(deployment.get(), artifacts, prefill, decode, tensor);
                    launched++;
                }
                case LaunchAnswer.Refused _ -> refused++;
            }
        }
        assertThat(refused).isLessThan(DRAWN);
    }

    private void check(DeploymentPlan deployment, List<Artifact> artifacts, int prefill, int decode, int tensor)
            throws IOException, InterruptedException {
        assertThat(artifacts).extracting(Artifact::name).containsExactly("prefill.sh", "decode.sh", "router.sh");
        boolean isOneHost = deployment.plan().pool().hosts() == 1;
        Set<String> devices = new HashSet<>();
        Set<String> ports = new HashSet<>();
        List<String> urls = new ArrayList<>();
        for (Artifact artifact : artifacts.subList(0, 2)) {
            boolean isPrefill = artifact.name().equals("prefill.sh");
            int started = 0;
            int hosts = hostsOf(artifact);
            for (int rank = 0; rank < hosts; rank++) {
                for (Server server : run(artifact, Map.of("NODE_RANK", String.valueOf(rank)))) {
                    started++;
                    String host = isOneHost ? "127.0.0.1" : (isPrefill ? "p" : "d") + rank;
                    urls.add((isPrefill ? "--prefill " : "--decode ") + "http://" + host + ":"
                            + server.option("--port"));
                    checkServer(server, deployment, isPrefill, tensor);
                    String visible = server.variables().getOrDefault("CUDA_VISIBLE_DEVICES", "all");
                    for (String device : visible.split(",", -1)) {
                        assertThat(devices.add(host.charAt(0) + (isOneHost ? "" : host) + device))
                                .as(artifact.text())
                                .isTrue();
                    }
                    String side = isPrefill || server.words().contains("serve") ? side(server) : "none" + started;
                    assertThat(ports.add(host + side)).isTrue();
                    assertThat(ports.add(host + server.option("--port"))).isTrue();
                    if (isPrefill && !side.equals("1") && !server.words().contains("serve")) {
                        urls.add("bootstrap " + side);
                    }
                }
            }
            assertThat(started).as(artifact.text()).isEqualTo(isPrefill ? prefill : decode);
        }
        String prefills = names("p", hostsOf(artifacts.get(0)));
        String decodes = names("d", hostsOf(artifacts.get(1)));
        Map<String, String> named = isOneHost ? Map.of() : Map.of("PREFILL_HOSTS", prefills, "DECODE_HOSTS", decodes);
        Server router = run(artifacts.get(2), named).getFirst();
        boolean isEven = isEven(deployment, prefill, decode);
        if (isEven) {
            List<String> routed = Stream.concat(
                            router.all("--prefill").stream().map(url -> "--prefill " + url),
                            router.all("--decode").stream().map(url -> "--decode " + url))
                    .toList();
            assertThat(routed)
                    .containsExactlyElementsOf(urls.stream()
                            .filter(url -> !url.startsWith("bootstrap"))
                            .toList());
            List<String> after = new ArrayList<>();
            for (int i = 0; i + 2 < router.words().size(); i++) {
                if (router.words().get(i).equals("--prefill")
                        && !router.words().get(i + 2).startsWith("-")) {
                    after.add("bootstrap " + router.words().get(i + 2));
                }
            }
            assertThat(after)
                    .isEqualTo(urls.stream()
                            .filter(url -> url.startsWith("bootstrap"))
                            .toList());
        }
    }

    /// Reports whether each host of a role has as many servers as the others.
    private static boolean isEven(DeploymentPlan deployment, int prefill, int decode) {
        int perHost = Math.ceilDiv(
                        deployment.plan().pool().count(),
                        deployment.plan().pool().hosts())
                / deployment.plan().layout().devices();
        boolean isOneHost = deployment.plan().pool().hosts() == 1;
        return isOneHost
                || ((prefill <= perHost || prefill % perHost == 0) && (decode <= perHost || decode % perHost == 0));
    }

    private static void checkServer(Server server, DeploymentPlan deployment, boolean isPrefill, int tensor) {
        boolean isVllm = server.words().contains("serve");
        assertThat(server.option(isVllm ? "--tensor-parallel-size" : "--tp-size"))
                .isEqualTo(String.valueOf(tensor));
        assertThat(server.option(isVllm ? "--kv-transfer-config.kv_role" : "--disaggregation-mode"))
                .isEqualTo(isVllm ? (isPrefill ? "kv_producer" : "kv_consumer") : isPrefill ? "prefill" : "decode");
        assertThat(Long.parseLong(server.option(isVllm ? "--max-model-len" : "--context-length")))
                .isGreaterThanOrEqualTo(deployment.simulation().longest());
        assertThat(server.words()).doesNotContain("--data-parallel-size", "--dp-size");
    }

    private static String side(Server server) {
        return server.variables()
                .getOrDefault("VLLM_NIXL_SIDE_CHANNEL_PORT", server.option("--disaggregation-bootstrap-port"));
    }

    private static String names(String letter, int count) {
        return Stream.iterate(0, one -> one + 1)
                .limit(count)
                .map(one -> letter + one)
                .collect(Collectors.joining(" "));
    }

    private static int hostsOf(Artifact artifact) {
        return artifact.text()
                .lines()
                .filter(line -> line.startsWith("# Run it on each of the "))
                .map(line -> Integer.parseInt(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(1);
    }

    /// Runs a script with a recorder in place of every program.
    private List<Server> run(Artifact script, Map<String, String> variables) throws IOException, InterruptedException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path calls = Files.createTempDirectory(folder, "calls");
        for (String program : List.of("vllm", "vllm-router", "python3")) {
            Path file = bin.resolve(program);
            Files.writeString(file, "#!/bin/sh\n{ env; echo; printf '%s\\n' \"$@\"; } >\"$CALLS/$$\"\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        Path file = Files.writeString(folder.resolve(script.name()), script.text());
        Map<String, String> environment = new HashMap<>(variables);
        environment.putAll(Map.of("PATH", bin + ":/usr/bin:/bin", "CALLS", calls.toString(), "MODEL", "given"));
        Program.Result result = Program.run(List.of("sh", file.toString()), environment);
        assertThat(result.code()).as(result.output() + script.text()).isZero();
        List<Server> servers = new ArrayList<>();
        try (Stream<Path> files = Files.list(calls)) {
            for (Path call : files.toList()) {
                List<String> lines = Files.readAllLines(call);
                int gap = lines.indexOf("");
                servers.add(new Server(
                        lines.subList(gap + 1, lines.size()),
                        lines.subList(0, gap).stream()
                                .filter(line -> line.contains("="))
                                .collect(Collectors.toMap(
                                        line -> line.split("=", 2)[0],
                                        line -> line.split("=", 2)[1],
                                        (one, _) -> one))));
            }
        }
        servers.sort(Comparator.comparing(server -> server.option("--port")));
        return servers;
    }

    private Optional<DeploymentPlan> disaggregated(
            String machine, ServingEngine engine, int tensor, int prefill, int decode) {
        SimulationRequest asked = SimulationRequest.of(
                ServingRequest.of(ModelCatalogue.builtIn()
                                .find("llama-3.1-8b")
                                .orElseThrow()
                                .toSummary())
                        .withTokens(256, 16),
                new ServingLoad.Users(2 * (prefill + decode)));
        SimulationRequest request = asked.asBenchmark()
                .withRequests(8)
                .withFleet(new SimulationRequest.Replicas(
                        tensor, prefill + decode, decode, 50e9, SimulationRequest.Router.LEAST_LOADED));
        return Planner.of(hosts(machine))
                .simulate(request, ServingChoices.USUAL.withEngine(engine))
                .findFirst()
                .filter(found -> found.plan().layout().devices() == tensor && found.decodeReplicas() > 0)
                .map(found -> new DeploymentPlan(found, Map.of(), List.of()));
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
