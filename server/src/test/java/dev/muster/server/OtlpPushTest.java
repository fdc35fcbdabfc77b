// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.monitor.SampleHistory;
import dev.muster.monitor.Sampler;
import dev.muster.monitor.metric.OtlpDocument;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

class OtlpPushTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    /// The collector refuses twice, then takes what comes.
    @Test
    void sendsTheNewestSampleAndOutlivesACollectorThatIsGone() throws Exception {
        BlockingQueue<String> taken = new LinkedBlockingQueue<>();
        AtomicInteger asked = new AtomicInteger();
        Server collector = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        collector.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws IOException {
                String body = request.getHttpURI().getPath() + " "
                        + request.getHeaders().get("Content-Type") + " "
                        + StandardCharsets.ISO_8859_1.decode(Content.Source.asByteBuffer(request));
                boolean gone = asked.incrementAndGet() <= 2;
                if (!gone) {
                    taken.add(body);
                }
                response.setStatus(gone ? 503 : 200);
                callback.succeeded();
                return true;
            }
        });
        collector.start();
        try (Sampler sampler = Sampler.start(
                        () -> ServerFixture.devices(1), SHORT, SampleHistory.ofLength(10), InstantSource.system());
                OtlpPush push = OtlpPush.start(
                        OtlpPush.address(
                                "http://127.0.0.1:" + collector.getURI().getPort()),
                        sampler,
                        OtlpDocument.of("host-a", "0", Instant.EPOCH),
                        SHORT,
                        System.getLogger("dev.muster.server.test"))) {
            String body = taken.poll(20, TimeUnit.SECONDS);
            assertThat(body)
                    .startsWith("/v1/metrics application/x-protobuf ")
                    .contains("host.name", "host-a", "hw.gpu.utilization", "hw.gpu.task", "general");
            assertThat(push.failed()).isEqualTo(2);
        } finally {
            collector.stop();
        }
    }

    @Test
    void refusesWhatIsNoAddress() {
        for (String address : List.of("file:///etc/passwd", "localhost:4318", "http://u:p@h/", "x")) {
            assertThatThrownBy(() -> OtlpPush.address(address)).isInstanceOf(ServerException.class);
        }
    }
}
