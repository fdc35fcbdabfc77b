// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.SourceKind;
import dev.muster.fleet.SourceReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PrometheusSourceTest {
    private static final Instant NOW = Instant.parse("2026-11-18T00:00:00Z");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final List<String> queries = new CopyOnWriteArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server;
    private int status = 200;
    private String times = "";
    private String values = "";
    private String page = "";
    private boolean silent;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        ended.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (silent) {
                ended.await();
                return;
            }
            String query = String.valueOf(exchange.getRequestURI().getRawQuery());
            queries.add(URLDecoder.decode(query, StandardCharsets.UTF_8));
            String text = exchange.getRequestURI().getPath().endsWith("/metrics")
                    ? page
                    : status != 200
                            ? "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"no such thing\"}"
                            : vector(query.contains("timestamp") ? times : values);
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private PrometheusSource source(String path) {
        URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
        return PrometheusSource.of(PrometheusConfig.of(address), InstantSource.fixed(NOW));
    }

    private static String series(String labels, String value) {
        return "{\"metric\":{" + labels + "},\"value\":[" + NOW.getEpochSecond() + ".123,\"" + value + "\"]}";
    }

    private static String gpu(String name, String uuid) {
        return "\"__name__\":\"" + name + "\",\"UUID\":\"" + uuid + "\",\"gpu\":\"0\",\"instance\":\"a:9400\"";
    }

    @Test
    void asksTheServerOnceForTimesAndOnceForValues() {
        values = series(gpu("DCGM_FI_DEV_FB_USED", "GPU-1"), "1024") + ","
                + series(gpu("DCGM_FI_DEV_FB_FREE", "GPU-1"), "80000") + ","
                + series(gpu("DCGM_FI_DEV_GPU_UTIL", "GPU-1"), "NaN");
        SourceReport report = source("").read(LIMIT);
        assertThat(report.kind()).isEqualTo(SourceKind.METRICS);
        assertThat(report.hosts()).singleElement().extracting(HostReport::name).isEqualTo("a");
        assertThat(report.gaps()).isEmpty();
        assertThat(queries).hasSize(2);
        assertThat(queries.getLast()).contains("DCGM_FI_DEV_FB_USED").contains("accel_memory_used_bytes");
    }

    @Test
    void leavesOutDevicesThatWereNotSeenForLong() {
        times = series("\"UUID\":\"GPU-old\",\"gpu\":\"0\",\"instance\":\"a:9400\"", "" + (NOW.getEpochSecond() - 400))
                + "," + series("\"UUID\":\"GPU-new\",\"gpu\":\"0\",\"instance\":\"b:9400\"", "" + NOW.getEpochSecond());
        values = series(gpu("DCGM_FI_DEV_FB_USED", "GPU-old"), "1") + ","
                + series(gpu("DCGM_FI_DEV_FB_USED", "GPU-new"), "1");
        SourceReport report = source("/").read(LIMIT);
        assertThat(report.hosts().getFirst().registry().profiles())
                .extracting(device -> device.reading(DeviceFact.UUID).find().orElse(""))
                .containsExactly("GPU-new");
        assertThat(report.gaps())
                .singleElement()
                .extracting(Gap::display)
                .asString()
                .contains("older than 5 minutes");
    }

    @Test
    void readsAPageOfAnExporter() {
        page = "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\",UUID=\"GPU-1\"} 40\nnonsense here\n";
        SourceReport report = source("/metrics").read(LIMIT);
        assertThat(report.kind()).isEqualTo(SourceKind.METRICS);
        assertThat(report.hosts()).singleElement().extracting(HostReport::name).isEqualTo("127.0.0.1");
        assertThat(report.gaps())
                .singleElement()
                .extracting(Gap::display)
                .asString()
                .contains("1 lines are not metrics, such as line 2");
    }

    @Test
    void refusalsAreOneSentence() {
        status = 400;
        assertThatThrownBy(() -> source("").read(LIMIT))
                .isInstanceOf(FleetException.class)
                .hasMessageEndingWith(": it did not answer the query (400): no such thing");
        status = 403;
        assertThatThrownBy(() -> source("").read(LIMIT)).hasMessageContaining("does not let you read metrics (403)");
    }

    @Test
    void aServerThatSaysNothingIsOneSentence() {
        silent = true;
        assertThatThrownBy(() -> source("").read(Duration.ofMillis(300)))
                .isInstanceOf(FleetException.class)
                .hasMessageContaining("did not answer");
    }

    @Test
    void aServerThatIsNotThereIsOneSentence() {
        server.stop(0);
        assertThatThrownBy(() -> source("").read(LIMIT)).hasMessageContaining("it cannot be reached");
    }

    @Test
    void tokensAreNotSentInTheOpen() {
        PrometheusConfig config = new PrometheusConfig(URI.create("http://prometheus.example:9090"), "secret");
        assertThatThrownBy(() ->
                        PrometheusSource.of(config, InstantSource.fixed(NOW)).read(LIMIT))
                .hasMessageContaining("a token would go there without encryption");
        assertThat(config.toString()).doesNotContain("secret");
    }

    @Test
    void addressesAreOfHttp() {
        assertThatThrownBy(() -> PrometheusConfig.of(URI.create("ftp://x/")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PrometheusConfig.of(URI.create("http://user:word@x/")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String vector(String items) {
        return "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[" + items + "]}}";
    }
}
