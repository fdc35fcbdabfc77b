// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Malformed requests, byte by byte, against the real server.
class HostileRequestsTest {
    private static ServerFixture fixture;

    @BeforeAll
    static void start() throws InterruptedException {
        fixture = ServerFixture.start();
        fixture.awaitSample();
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    /// `|` stands for a line end; `{…}` is filled in.
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '\u0001',
            value = {
                "no token; GET /api/v1/registry HTTP/1.1|Host: localhost:{port}; 401; no-token",
                "wrong token; GET /api/v1/registry HTTP/1.1|Host: localhost:{port}|Authorization: Bearer x; 401; no-token",
                "token in the query of data; GET /api/v1/registry?token={token} HTTP/1.1|Host: localhost:{port}; 401; no-token",
                "metrics without token; GET /metrics HTTP/1.1|Host: localhost:{port}; 401; no-token",
                "wrong token for a cookie; GET /?token=abc HTTP/1.1|Host: localhost:{port}; 401; wrong-token",
                "a name turned around; GET /healthz HTTP/1.1|Host: evil.example:{port}; 421; unknown-host",
                "no port; GET /healthz HTTP/1.1|Host: localhost; 421; unknown-host",
                "another port; GET /healthz HTTP/1.1|Host: localhost:1; 421; unknown-host",
                "no Host; GET /healthz HTTP/1.1|X: y; 400; bad-request",
                "no Host in HTTP/1.0; GET /healthz HTTP/1.0|X: y; 421; unknown-host",
                "two Hosts; GET /healthz HTTP/1.1|Host: localhost:{port}|Host: evil.example; 400; bad-request",
                "another Host in the address; GET http://evil.example/healthz HTTP/1.1|Host: localhost:{port}; 400; bad-request",
                "another origin; GET /healthz HTTP/1.1|Host: localhost:{port}|Origin: http://evil.example; 403; cross-site",
                "no origin by name; GET /healthz HTTP/1.1|Host: localhost:{port}|Origin: null; 403; cross-site",
                "an origin that begins like ours; GET /healthz HTTP/1.1|Host: localhost:{port}|Origin: http://localhost:{port}.evil.example; 403; cross-site",
                "a script of another site; GET /api/v1/registry HTTP/1.1|Host: localhost:{port}|Sec-Fetch-Site: cross-site|Sec-Fetch-Mode: no-cors|Authorization: Bearer {token}; 403; cross-site",
                "a page of another port; GET /api/v1/registry HTTP/1.1|Host: localhost:{port}|Sec-Fetch-Site: same-site|Sec-Fetch-Mode: cors|Authorization: Bearer {token}; 403; cross-site",
                "a frame of another site; GET / HTTP/1.1|Host: localhost:{port}|Sec-Fetch-Site: cross-site|Sec-Fetch-Mode: navigate|Sec-Fetch-Dest: iframe; 403; cross-site",
                "climbing; GET /../etc/passwd HTTP/1.1|Host: localhost:{port}; 400; bad-request",
                "climbing in code; GET /..%2f..%2fetc/passwd HTTP/1.1|Host: localhost:{port}; 400; bad-request",
                "climbing in more code; GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1|Host: localhost:{port}; 400; bad-request",
                "climbing in a device; GET /api/v1/devices/..%2f..%2fx HTTP/1.1|Host: localhost:{port}|Authorization: Bearer {token}; 400; bad-request",
                "a backslash; GET /api/v1/devices/..%5c..%5cx HTTP/1.1|Host: localhost:{port}|Authorization: Bearer {token}; 400; bad-request",
                "a null; GET /api/v1/devices/a%00b HTTP/1.1|Host: localhost:{port}|Authorization: Bearer {token}; 400; bad-request",
                "a line end in code; GET /api/v1/devices/a%0d%0aSet-Cookie:x HTTP/1.1|Host: localhost:{port}|Authorization: Bearer {token}; 400; bad-request",
                "bytes that are not UTF-8; GET /api/v1/devices/%ff%fe HTTP/1.1|Host: localhost:{port}|Authorization: Bearer {token}; 400; bad-request",
                "half a code; GET /api/v1/devices/%4 HTTP/1.1|Host: localhost:{port}|Authorization: Bearer {token}; 400; bad-request",
                "a file of the jar; GET /files.csv HTTP/1.1|Host: localhost:{port}; 404; not-found",
                "a device that is none; GET /api/v1/devices/cuda:99 HTTP/1.1|Host: localhost:{port}|Authorization: Bearer {token}; 404; no-device",
                "a number too large; GET /api/v1/registry?after=99999999999999999999 HTTP/1.1|Host: localhost:{port}|Authorization: Bearer {token}; 400; bad-request",
                "a wait for ever; GET /api/v1/registry?wait=99999s HTTP/1.1|Host: localhost:{port}|Authorization: Bearer {token}; 400; bad-request",
                "a fact that is none; GET /api/v1/devices/cuda:0/history?facts=x HTTP/1.1|Host: localhost:{port}|Authorization: Bearer {token}; 400; bad-request",
                "TRACE; TRACE /healthz HTTP/1.1|Host: localhost:{port}; 405; wrong-method",
                "DELETE; DELETE /api/v1/registry HTTP/1.1|Host: localhost:{port}|Authorization: Bearer {token}; 405; wrong-method",
                "a made-up method; BREW /healthz HTTP/1.1|Host: localhost:{port}; 405; wrong-method",
                "OPTIONS, as before a cross-site call; OPTIONS /api/v1/plan HTTP/1.1|Host: localhost:{port}|Origin: http://evil.example; 403; cross-site",
                "POST to what is read; POST /api/v1/registry HTTP/1.1|Host: localhost:{port}|Authorization: Bearer {token}|Content-Length: 0; 405; wrong-method",
                "a form; POST /api/v1/plan HTTP/1.1|Host: localhost:{port}|Authorization: Bearer {token}|Content-Type: text/plain|Content-Length: 0; 415; not-json",
                "a body too long by its length; POST /api/v1/plan HTTP/1.1|Host: localhost:{port}|Authorization: Bearer {token}|Content-Type: application/json|Content-Length: 99999999; 413; body-too-large",
                "an encoded body; POST /api/v1/plan HTTP/1.1|Host: localhost:{port}|Authorization: Bearer {token}|Content-Type: application/json|Content-Encoding: gzip|Content-Length: 0; 415; encoded-body",
                "two lengths; POST /api/v1/plan HTTP/1.1|Host: localhost:{port}|Content-Length: 1|Content-Length: 2; 400; bad-request",
                "length and chunks; POST /api/v1/plan HTTP/1.1|Host: localhost:{port}|Content-Length: 1|Transfer-Encoding: chunked; 400; bad-request",
                "a negative length; POST /api/v1/plan HTTP/1.1|Host: localhost:{port}|Content-Length: -1; 400; bad-request",
                "a folded header; GET /healthz HTTP/1.1|Host: localhost:{port}|X: a| b; 400; bad-request",
                "a blank before the colon; GET /healthz HTTP/1.1|Host : localhost:{port}; 400; bad-request",
            })
    void isRefusedWithACode(String name, String request, int status, String code) throws IOException {
        String answer = fixture.send(request.replace("|", "\r\n") + "\r\nConnection: close\r\n\r\n");
        assertThat(ServerFixture.status(answer)).as(answer).isEqualTo(status);
        assertThat(ServerFixture.body(answer)).contains("\"code\":\"" + code + "\"");
        assertHardened(answer);
    }

    private static void assertHardened(String answer) {
        assertThat(answer)
                .contains("Content-Security-Policy: default-src 'none'")
                .contains("X-Content-Type-Options: nosniff")
                .contains("Referrer-Policy: no-referrer")
                .contains("Cross-Origin-Resource-Policy: same-origin")
                .contains("Cache-Control: no-store")
                .doesNotContain("Access-Control-")
                .doesNotContain("Server:")
                .doesNotContain("at dev.muster")
                .doesNotContain("at org.eclipse")
                .doesNotContain(ServerFixture.TOKEN);
    }

    @Test
    void refusesHeadersThatAreTooLarge() throws IOException {
        String answer = fixture.send("GET /healthz HTTP/1.1\r\nHost: localhost:{port}\r\nX: " + "a".repeat(20_000)
                + "\r\nConnection: close\r\n\r\n");
        assertThat(ServerFixture.status(answer)).isEqualTo(431);
        assertHardened(answer);
    }

    @Test
    void refusesAPathThatIsTooLong() throws IOException {
        String answer = fixture.get("/" + "a".repeat(3000));
        assertThat(ServerFixture.status(answer)).isEqualTo(400);
    }

    @Test
    void refusesABodyThatGrowsBeyondTheCap() throws IOException {
        String chunk = "10000\r\n" + " ".repeat(65_536) + "\r\n";
        String answer = fixture.send("POST /api/v1/plan HTTP/1.1\r\nHost: localhost:{port}\r\n"
                + "Authorization: Bearer {token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
                + "\r\n" + chunk.repeat(17) + "0\r\n\r\n");
        assertThat(answer).contains("body-too-large");
        assertThat(ServerFixture.status(answer)).isEqualTo(413);
    }

    @Test
    void refusesABodyThatDoesNotArrive() throws IOException {
        String answer = fixture.send("POST /api/v1/plan HTTP/1.1\r\nHost: localhost:{port}\r\n"
                + "Authorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{");
        assertThat(ServerFixture.status(answer)).isEqualTo(408);
        assertThat(answer).contains("slow-body");
    }

    @Test
    void outlivesGarbage() throws IOException {
        byte[] garbage = new byte[4096];
        for (int i = 0; i < garbage.length; i++) {
            garbage[i] = (byte) (i * 31);
        }
        String answer = fixture.send(garbage);
        assertThat(ServerFixture.status(answer)).isEqualTo(400);
        assertThat(fixture.send("\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n")).doesNotContain("200 OK");
        assertThat(ServerFixture.status(fixture.get("/healthz"))).isEqualTo(200);
    }

    @Test
    void halfOpenConnectionsOfOneAddressDoNotKeepOthersOut() throws IOException {
        List<Socket> held = new ArrayList<>();
        try {
            int ended = 0;
            for (int i = 0; i < ConnectionWatch.MOST_WAITING + 200; i++) {
                Socket socket = fixture.open();
                held.add(socket);
                socket.getOutputStream().write("GET /healthz HTTP/1.1\r\n".getBytes(StandardCharsets.ISO_8859_1));
            }
            assertThat(ServerFixture.status(fixture.get("/healthz"))).isEqualTo(200);
            for (Socket socket : held.subList(0, 100)) {
                socket.setSoTimeout(10_000);
                ended += isEnded(socket) ? 1 : 0;
            }
            assertThat(ended).as("the oldest went for the newest").isEqualTo(100);
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }

    private static boolean isEnded(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException _) {
            return false;
        } catch (IOException _) {
            return true; // reset
        }
    }

    @Test
    void endsAConnectionThatSendsAByteNowAndThen() throws IOException {
        try (Socket socket = fixture.open()) {
            socket.getOutputStream().write("GET /healthz HTTP/1.1\r\nX: ".getBytes(StandardCharsets.ISO_8859_1));
            long end =
                    System.nanoTime() + ConnectionWatch.HEADERS.plusSeconds(20).toNanos();
            socket.setSoTimeout(500);
            int read = 0;
            while (read >= 0 && System.nanoTime() < end) {
                try {
                    socket.getOutputStream().write('a');
                    read = socket.getInputStream().read();
                } catch (SocketTimeoutException _) {
                    read = 0; // still open: another byte
                } catch (IOException _) {
                    read = -1; // reset
                }
            }
            assertThat(read).as("closed by the server").isEqualTo(-1);
        }
    }
}
