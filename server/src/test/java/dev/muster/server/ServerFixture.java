// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import dev.muster.monitor.SampleHistory;
import dev.muster.monitor.Sampler;
import dev.muster.monitor.metric.MetricNames;
import dev.muster.plan.Planner;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// A real server on a free port of loopback, with synthetic devices; and a client that sends bytes as they are.
final class ServerFixture implements AutoCloseable {
    static final String TOKEN = "synthetic-token-0123456789abcdef";
    static final String ODD_NAME = "<img src=x onerror=alert(1)> \u001b]0;owned\u0007 \"quoted\\";
    private static final int ANSWER_MILLIS = 15_000;

    final Sampler sampler;
    final MusterServer server;

    private ServerFixture(Sampler sampler, MusterServer server) {
        this.sampler = sampler;
        this.server = server;
    }

    static ServerFixture start() {
        return start(() -> devices(2), false, Duration.ofMillis(100));
    }

    static ServerFixture start(Supplier<AcceleratorRegistry> look, boolean openMetrics, Duration interval) {
        return start(look, openMetrics, interval, Optional.empty(), Optional.of(AccessToken.of(TOKEN)));
    }

    static ServerFixture start(Optional<ServerTls> tls, Optional<AccessToken> token) {
        return start(() -> devices(2), false, Duration.ofMillis(100), tls, token);
    }

    /// At these addresses, with the token at ports.
    static ServerFixture at(String... addresses) {
        List<ListenAddress> listen = new ArrayList<>();
        for (String address : addresses) {
            listen.add(ListenAddress.find(address).orElseThrow());
        }
        return start(
                () -> devices(2),
                false,
                Duration.ofMillis(100),
                Optional.empty(),
                Optional.of(AccessToken.of(TOKEN)),
                listen);
    }

    private static ServerFixture start(
            Supplier<AcceleratorRegistry> look,
            boolean openMetrics,
            Duration interval,
            Optional<ServerTls> tls,
            Optional<AccessToken> token) {
        return start(
                look,
                openMetrics,
                interval,
                tls,
                token,
                List.of(ListenAddress.find("127.0.0.1:0").orElseThrow()));
    }

    private static ServerFixture start(
            Supplier<AcceleratorRegistry> look,
            boolean openMetrics,
            Duration interval,
            Optional<ServerTls> tls,
            Optional<AccessToken> token,
            List<ListenAddress> listen) {
        Sampler sampler = Sampler.start(look, interval, SampleHistory.ofLength(1000), InstantSource.system());
        ServerConfig config = new ServerConfig(
                listen, Set.of("muster.example"), token, tls, MetricNames.MUSTER, openMetrics, "test-host", "0");
        ServerSources sources =
                new ServerSources(sampler, Planner::of, List.of(), Optional.empty(), List::of, InstantSource.system());
        try {
            return new ServerFixture(
                    sampler, MusterServer.start(config, sources, "test", System.getLogger("dev.muster.server.test")));
        } catch (ServerException e) {
            sampler.close();
            throw e;
        }
    }

    static AcceleratorRegistry devices(int count) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            devices.add(AcceleratorProfile.cuda(i, Bytes.ofGib(80)).toBuilder()
                    .with(DeviceFact.DEVICE_NAME, known(ODD_NAME))
                    .with(DeviceFact.UTILIZATION, known(new Ratio(0.5)))
                    .with(DeviceFact.POWER, known(new Watts(300)))
                    .build());
        }
        return AcceleratorRegistry.of(devices);
    }

    private static <T> Reading<T> known(T value) {
        return Reading.known(value, Provenance.GIVEN);
    }

    int port() {
        return server.port();
    }

    void awaitSample() throws InterruptedException {
        if (sampler.awaitNewer(0, Duration.ofSeconds(10)).isEmpty()) {
            throw new AssertionError("no sample");
        }
    }

    Socket open() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
        socket.setSoTimeout(ANSWER_MILLIS);
        return socket;
    }

    /// Sends the text, with `{port}` and `{token}` filled in, and reads until the server closes or the answer is whole.
    String send(String request) throws IOException {
        return send(request.replace("{port}", String.valueOf(port()))
                .replace("{token}", TOKEN)
                .getBytes(StandardCharsets.ISO_8859_1));
    }

    String send(byte[] request) throws IOException {
        try (Socket socket = open()) {
            socket.getOutputStream().write(request);
            socket.getOutputStream().flush();
            return read(socket);
        }
    }

    static String read(Socket socket) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        byte[] part = new byte[8192];
        while (true) {
            int count = socket.getInputStream().read(part);
            if (count < 0) {
                break;
            }
            answer.write(part, 0, count);
        }
        return answer.toString(StandardCharsets.UTF_8);
    }

    /// A well-formed request with further headers, over a connection of its own.
    String get(String path, String... headers) throws IOException {
        return send("GET " + path + " HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n"
                + String.join("\r\n", headers) + (headers.length == 0 ? "" : "\r\n") + "\r\n");
    }

    String data(String path, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of(headers));
        all.add("Authorization: Bearer " + TOKEN);
        return get(path, all.toArray(new String[0]));
    }

    static int status(String answer) {
        return answer.startsWith("HTTP/1.1 ") ? Integer.parseInt(answer.substring(9, 12)) : 0;
    }

    static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    @Override
    public void close() {
        server.close();
        sampler.close();
    }
}
