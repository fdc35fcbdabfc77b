// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.muster.cli.option.ExitCode;
import dev.muster.detect.host.HostAnswer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `muster observe` beside a server of this test, whose pages have the form of each engine.
class ObserveCommandTest {
    private final AtomicInteger page = new AtomicInteger();
    private final MusterRun pipe = MusterRun.inPipe().withPause(time -> {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    });
    private final List<HttpServer> servers = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
        servers.clear();
    }

    /// @param metrics page of metrics by the number of times that it was asked for
    private String serve(IntFunction<String> metrics, Map<String, String> others) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String body = path.equals("/metrics") ? metrics.apply(page.getAndIncrement()) : others.get(path);
            byte[] bytes = (body == null ? "no" : body).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(body == null ? 404 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        servers.add(server);
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /// A page of vLLM after some requests of 512 tokens in and 100 out.
    private static String vllm(
            int ended, int running, int waiting, double kv, int evicted, String caches, double token) {
        return """
            # HELP vllm:num_requests_running Number of requests in model execution batches.
            # TYPE vllm:num_requests_running gauge
            vllm:num_requests_running{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} %d
            vllm:num_requests_waiting{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} %d
            vllm:kv_cache_usage_perc{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} %s
            vllm:num_preemptions_total{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} %d
            vllm:cache_config_info{block_size="16",enable_prefix_caching="%s",engine="0"} 1
            vllm:prompt_tokens_total{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} %d
            vllm:generation_tokens_total{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} %d
            vllm:request_success_total{engine="0",finished_reason="stop",model_name="meta-llama/Llama-3.1-8B-Instruct"} %d
            vllm:request_success_total{engine="0",finished_reason="length",model_name="meta-llama/Llama-3.1-8B-Instruct"} %d
            vllm:time_to_first_token_seconds_sum{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} %s
            vllm:time_to_first_token_seconds_count{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} %d
            vllm:inter_token_latency_seconds_sum{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} %s
            vllm:inter_token_latency_seconds_count{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"} %d
            """.formatted(
                        running,
                        waiting,
                        kv,
                        evicted,
                        caches,
                        512 * ended,
                        100 * ended,
                        ended / 2,
                        ended - ended / 2,
                        0.05 * ended,
                        ended,
                        token * 99 * ended,
                        99 * ended);
    }

    @Test
    void measuredAndPredictedStandSideBySide() throws IOException {
        String url = serve(
                number -> vllm(1000 + 20 * number, 8, 0, 0.2, 0, "True", 0.008),
                Map.of("/version", "{\"version\":\"0.19.0\"}"));

        Outcome outcome =
                pipe.run("observe", url, "--for", "1s", "--synthetic", "h100-sxm:1", "--tp", "1", "--no-store");

        assertThat(outcome.out())
                .contains("meta-llama/Llama-3.1-8B-Instruct under vllm 0.19.0 at " + url)
                .contains("8.0 requests run, 0.0 wait; 20 ended, with 512 tokens in and 100 out")
                .containsPattern(
                        "TTFT +50.0 ms +\\d+\\.\\d ms +\\d+\\.\\d ms +\\d+\\.\\d ms +(as|better than|worse than) predicted")
                .containsPattern("TPOT +8.0 ms +\\d+\\.\\d ms");
        assertThat(outcome.code()).isBetween(ExitCode.OK, ExitCode.NO);
    }

    @ParameterizedTest
    @CsvSource({
        "8, 0, 0.20, 0, True, 0.100, launches-or-sampling",
        "8, 5, 0.20, 0, True, 0.006, small-batch",
        "1, 5, 0.05, 0, True, 0.006, batch-of-one",
        "8, 5, 0.99, 0, True, 0.006, kv-cache-full",
        "8, 0, 0.50, 3, True, 0.006, kv-cache-full",
        "8, 0, 0.20, 0, False, 0.006, prefix-cache-off",
    })
    void theLikelyCauseIsNamed(
            int running, int waiting, double kv, int evicted, String caches, double token, String cause)
            throws IOException {
        String url =
                serve(number -> vllm(50 * number, running, waiting, kv, evicted * number, caches, token), Map.of());

        Outcome outcome = pipe.run(
                "observe", url, "--for", "1s", "--synthetic", "h100-sxm:1", "--tp", "1", "--no-store", "--json");

        assertThat(outcome.out()).contains("\"name\":\"" + cause + "\"");
    }

    @Test
    void aQuickServerHasNoCause() throws IOException {
        String url = serve(number -> vllm(50 * number, 8, 0, 0.2, 0, "True", 0.004), Map.of());

        Outcome outcome = pipe.run(
                "observe", url, "--for", "1s", "--synthetic", "h100-sxm:1", "--tp", "1", "--no-store", "--json");

        assertThat(outcome.out()).contains("\"causes\":[]");
    }

    @Test
    void requestsOfLlamaServerAreSeenInItsSlots() throws IOException {
        Map<String, String> others = new HashMap<>(Map.of(
                "/props",
                "{\"total_slots\":1,\"model_path\":\"/nowhere/llama-3.2-1b\",\"build_info\":\"b11669-abc\"}"));
        others.put("/slots", "[{\"id\":0,\"id_task\":7,\"is_processing\":true}]");
        String url = serve(number -> """
                        llamacpp:prompt_tokens_total %d
                        llamacpp:tokens_predicted_total %d
                        llamacpp:tokens_predicted_seconds_total %s
                        llamacpp:requests_processing 1
                        llamacpp:requests_deferred 3
                        """.formatted(100 * number, 50 * number, 2.5 * number), others);
        MusterRun busy = pipe.withFiles(Map.of(
                "/proc/pressure/cpu", new HostAnswer.Found<>("some avg10=61.50 avg60=3.00 avg300=1.00 total=1\n")));

        Outcome outcome =
                busy.run("observe", url, "--for", "1s", "--model", "llama-3.2-1b", "--quant", "q4_k_m", "--no-store");

        assertThat(outcome.out())
                .contains("llama-3.2-1b under llama.cpp b11669-abc")
                .contains("1 ended, with 100 tokens in and 50 out")
                .contains("TPOT       50.0 ms")
                .contains("at most 1 run at once")
                .contains("tasks waited for a processor in 62 % of the time");
    }

    @Test
    void pagesThatAreSavedAreAResultFile() throws IOException {
        String url = serve(number -> vllm(50 * number, 8, 0, 0.2, 0, "True", 0.008), Map.of());
        Path file = folder.resolve("pages.txt");

        pipe.run(
                "observe",
                url,
                "--for",
                "1s",
                "--synthetic",
                "h100-sxm:1",
                "--tp",
                "1",
                "--no-store",
                "--save",
                file.toString());

        assertThat(Files.readString(file)).contains("# muster page 0.0");
        assertThat(pipe.run("accuracy", "--data", file.toString(), "--device", "h100-sxm", "--tp", "1")
                        .quietOutput())
                .contains("serving-tpot");
    }

    @Test
    void whatCannotBeObservedIsRefused() throws IOException {
        pipe.run("observe")
                .assertRefused(
                        ExitCode.USAGE,
                        "muster: observe needs the address of a server, such as http://localhost:8000; see 'muster help'");
        String idle = serve(_ -> vllm(7, 0, 0, 0, 0, "True", 0.01), Map.of());
        assertThat(pipe.run("observe", idle, "--for", "1s").err())
                .contains("the server ended no request in 1")
                .contains("send it requests meanwhile");
        stop();
        assertThat(pipe.run("observe", idle, "--for", "1s").err()).contains("cannot be reached; is the engine up");
        String other = serve(_ -> "up 1\n", Map.of());
        assertThat(pipe.run("observe", other, "--for", "1s").err()).contains("no known form");
    }
}
