// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.Gap;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.fleet.Claim;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetListener;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.HostState;
import dev.muster.fleet.SourceReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubernetesSourceTest {
    private static final String NODES = "/api/v1/nodes";
    private static final String PODS = "/api/v1/pods";
    private static final String SLICES = "/apis/resource.k8s.io/v1beta2/resourceslices";
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Instant NOW = Instant.parse("2026-11-18T00:00:00Z");

    /// Its key is made once for all tests.
    @TempDir
    static Path keys;

    @TempDir
    Path folder;

    private ApiServer server;

    @BeforeEach
    void start() throws Exception {
        server = new ApiServer(keys);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private KubernetesSource source(String kubeconfig) throws IOException {
        Path file = Files.writeString(folder.resolve("config"), kubeconfig);
        Host host = Host.live(OperatingSystem.LINUX, "amd64", Map.of(), InstantSource.fixed(NOW));
        return KubernetesSource.of(KubernetesConfig.ofKubeconfig(file.toString(), ""), host);
    }

    private KubernetesSource source() throws IOException {
        return source(server.kubeconfig());
    }

    private void node(String name, int gpus, boolean ready) {
        server.put(NODES, name, """
                {"kind":"Node","metadata":{"name":"%s","resourceVersion":"VERSION","labels":
                {"nvidia.com/gpu.product":"NVIDIA-H100-80GB-HBM3","nvidia.com/gpu.memory":"81559"}},
                "status":{"capacity":{"nvidia.com/gpu":"%d"},"allocatable":{"nvidia.com/gpu":"%d"},
                "conditions":[{"type":"Ready","status":"%s","message":"as it is"}]}}""".formatted(name, gpus, gpus, ready ? "True" : "False")
                .replace("\n", " "));
    }

    private void pod(String name, String node, int gpus) {
        server.put(PODS, name, """
                {"kind":"Pod","metadata":{"name":"%s","namespace":"team","resourceVersion":"VERSION"},
                "spec":{"nodeName":"%s","containers":[{"resources":{"limits":{"nvidia.com/gpu":"%d"},
                "requests":{"nvidia.com/gpu":"%d"}}},{"resources":{}}]},"status":{"phase":"Running"}}""".formatted(name, node, gpus, gpus).replace("\n", " "));
    }

    @Test
    void readsAllPages() throws Exception {
        for (int i = 0; i < 1203; i++) {
            node("node-%04d".formatted(i), 8, true);
        }
        SourceReport report = source().read(LIMIT);
        assertThat(report.hosts()).hasSize(1203).allSatisfy(host -> {
            assertThat(host.registry().profiles()).hasSize(8);
            assertThat(host.state().kind()).isEqualTo(HostState.HostStateKind.READY);
        });
        assertThat(report.observedAt()).isEqualTo(NOW);
        assertThat(report.gaps()).isEmpty();
        assertThat(server.asked.stream().filter(path -> path.startsWith(NODES))).hasSize(3);
    }

    @Test
    void aListThatIsTooOldIsReadFromItsBeginning() throws Exception {
        for (int i = 0; i < 600; i++) {
            node("node-%04d".formatted(i), 1, true);
        }
        server.refuse("continue=", 410, ApiServer.status(410, "The provided continue parameter is too old"), Map.of());
        assertThat(source().read(LIMIT).hosts()).hasSize(600);
        assertThat(server.asked.stream().filter(path -> path.startsWith(NODES))).hasSize(4);
    }

    @Test
    void podsHoldDevices() throws Exception {
        node("a", 8, true);
        pod("train-0", "a", 6);
        pod("elsewhere", "gone", 4);
        HostReport host = source().read(LIMIT).hosts().getFirst();
        assertThat(host.claims()).containsExactly(new Claim("pod team/train-0", "", 6, List.of()));
        assertThat(server.asked)
                .anyMatch(path -> path.startsWith(PODS) && path.contains("status.phase%21%3DSucceeded"));
    }

    @Test
    void readsSlicesOfAnOlderApi() throws Exception {
        node("node-1", 0, true);
        server.put(SLICES, "s", """
                {"metadata":{"name":"s"},"spec":{"driver":"gpu.nvidia.com","nodeName":"node-1",
                "pool":{"name":"node-1","generation":1,"resourceSliceCount":1},
                "devices":[{"name":"gpu-0","attributes":{"type":{"string":"gpu"},"uuid":{"string":"GPU-1"}}}]}}""");
        assertThat(source().read(LIMIT).hosts().getFirst().registry().profiles())
                .hasSize(1);
    }

    @Test
    void aWrongTokenIsOneSentence() throws Exception {
        assertThatThrownBy(() -> source(server.kubeconfig("token: wrong")).read(LIMIT))
                .isInstanceOf(FleetException.class)
                .hasMessage("kubernetes:test: " + server.address()
                        + " does not know these credentials (401); log in again, or check the token");
    }

    @Test
    void withoutLeaveForNodesThereIsNothingToTell() throws Exception {
        server.refuse(NODES, 403, ApiServer.status(403, "nodes is forbidden: User me cannot list"), Map.of());
        assertThatThrownBy(() -> source().read(LIMIT))
                .hasMessage("kubernetes:test: these credentials may not list nodes (403): nodes is forbidden: User me"
                        + " cannot list; ask for a ClusterRole with get, list and watch of nodes");
    }

    @Test
    void withoutLeaveForPodsTheyAreAGap() throws Exception {
        node("a", 8, true);
        server.refuse(PODS, 403, ApiServer.status(403, "pods is forbidden"), Map.of());
        SourceReport report = source().read(LIMIT);
        assertThat(report.hosts()).hasSize(1);
        assertThat(report.gaps())
                .singleElement()
                .extracting(Gap::display)
                .asString()
                .contains("may not list pods (403)");
    }

    @Test
    void aBusyServerIsAskedAgain() throws Exception {
        node("a", 8, true);
        server.refuse(NODES, 429, ApiServer.status(429, "too many requests"), Map.of("Retry-After", "1"));
        assertThat(source().read(LIMIT).hosts()).hasSize(1);
    }

    @Test
    void aServerThatStaysBusyIsOneSentence() throws Exception {
        server.refuse(NODES, 429, ApiServer.status(429, "too many requests"), Map.of("Retry-After", "3600"));
        assertThatThrownBy(() -> source().read(Duration.ofSeconds(5)))
                .hasMessageContaining("the server has too much to do and did not list nodes in time (429)");
    }

    @Test
    void aListThatIsNoJsonIsOneSentence() throws Exception {
        server.refuse(NODES, 200, "<html>", Map.of());
        assertThatThrownBy(() -> source().read(LIMIT)).hasMessageContaining("sends is not JSON");
    }

    @Test
    void anUnknownAuthorityIsNotBelieved() throws Exception {
        String other = server.kubeconfig().replaceAll("certificate-authority-data: .*", "");
        assertThatThrownBy(() -> source(other).read(LIMIT)).hasMessageContaining("cannot prove who it is");
        String unchecked =
                server.kubeconfig().replaceAll("certificate-authority-data: .*", "insecure-skip-tls-verify: true");
        assertThatThrownBy(() -> source(unchecked).read(LIMIT)).hasMessageContaining("option allow-insecure");
        node("a", 8, true);
        Path file = folder.resolve("config");
        Host host = Host.live(OperatingSystem.LINUX, "amd64", Map.of(), InstantSource.fixed(NOW));
        KubernetesConfig allowed =
                KubernetesConfig.ofKubeconfig(file.toString(), "").withInsecure();
        assertThat(KubernetesSource.of(allowed, host).read(LIMIT).hosts()).hasSize(1);
    }

    @Test
    void aServerThatIsNotThereIsOneSentence() throws Exception {
        KubernetesSource source = source();
        server.close();
        assertThatThrownBy(() -> source.read(LIMIT)).hasMessageContaining("cannot be reached");
    }

    @Test
    void followsChanges() throws Exception {
        node("a", 8, true);
        Heard heard = new Heard();
        try (FleetSource.Following _ = source().follow(heard, LIMIT, LIMIT)) {
            heard.await(report -> report.hosts().size() == 1);
            node("b", 4, true);
            heard.await(report -> report.hosts().size() == 2);
            pod("p", "b", 4);
            heard.await(report ->
                    report.hosts().stream().anyMatch(host -> host.claims().size() == 1));
            node("a", 8, false);
            heard.await(report ->
                    report.hosts().stream().anyMatch(host -> host.state().kind() == HostState.HostStateKind.DOWN));
            server.delete(PODS, "p");
            heard.await(report ->
                    report.hosts().stream().allMatch(host -> host.claims().isEmpty()));
            server.delete(NODES, "a");
            heard.await(report -> report.hosts().size() == 1);
        }
    }

    @Test
    void aWatchThatEndsIsTakenUpWhereItWasLeft() throws Exception {
        node("a", 8, true);
        Heard heard = new Heard();
        try (FleetSource.Following _ = source().follow(heard, LIMIT, LIMIT)) {
            heard.await(report -> report.hosts().size() == 1);
            server.event(NODES, "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"177\"}}}");
            server.endWatches();
            awaitAsked("resourceVersion=177");
            node("b", 8, true);
        }
    }

    @Test
    void aWatchThatIsTooOldBeginsWithAList() throws Exception {
        node("a", 8, true);
        Heard heard = new Heard();
        try (FleetSource.Following _ = source().follow(heard, LIMIT, LIMIT)) {
            heard.await(report -> report.hosts().size() == 1);
            awaitAsked("watch=1");
            long lists = lists();
            server.event(NODES, "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410}}");
            node("b", 8, true);
            heard.await(report -> report.hosts().size() == 2);
            // The watch itself can be refused for the same reason.
            server.refuse("watch=1", 410, ApiServer.status(410, "too old resource version"), Map.of());
            server.endWatches();
            node("c", 8, true);
            heard.await(report -> report.hosts().size() == 3);
            awaitLists(lists + 1);
        }
    }

    @Test
    void failuresAreToldAndMendThemselves() throws Exception {
        node("a", 8, true);
        server.refuse(NODES, 500, ApiServer.status(500, "etcdserver: no leader"), Map.of());
        Heard heard = new Heard();
        try (FleetSource.Following _ = source().follow(heard, LIMIT, LIMIT)) {
            assertThat(heard.failures.poll(30, TimeUnit.SECONDS)).hasMessageContaining("etcdserver: no leader");
            heard.await(report -> report.hosts().size() == 1);
        }
    }

    private long lists() {
        return server.asked.stream()
                .filter(path -> path.startsWith(NODES) && !path.contains("watch"))
                .count();
    }

    private void awaitLists(long least) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (lists() < least) {
            assertThat(System.nanoTime()).as("lists").isLessThan(end);
            Thread.sleep(10);
        }
    }

    private void awaitAsked(String word) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (server.asked.stream().noneMatch(path -> path.contains(word))) {
            assertThat(System.nanoTime()).as(word).isLessThan(end);
            Thread.sleep(10);
        }
    }

    private static final class Heard implements FleetListener {
        private final BlockingQueue<SourceReport> reports = new LinkedBlockingQueue<>();
        private final BlockingQueue<FleetException> failures = new LinkedBlockingQueue<>();

        @Override
        public void changed(SourceReport report) {
            reports.add(report);
        }

        @Override
        public void failed(FleetException reason) {
            failures.add(reason);
        }

        void await(Predicate<SourceReport> wanted) throws InterruptedException {
            SourceReport report = reports.poll(30, TimeUnit.SECONDS);
            while (report != null && !wanted.test(report)) {
                report = reports.poll(30, TimeUnit.SECONDS);
            }
            assertThat(report).as("a report as it should be, within 30 s").isNotNull();
        }
    }
}
