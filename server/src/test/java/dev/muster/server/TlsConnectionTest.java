// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Real connections by TLS, with keys that are made for the test.
class TlsConnectionTest {
    private static final int ANSWER_MILLIS = 15_000;
    private static final int HANDSHAKE_RECORD = 22;
    private static final int ALERT_RECORD = 21;
    private static final int PROTOCOL_VERSION_ALERT = 70;

    @TempDir
    private static Path folder;

    private static TestKeys keys;

    @BeforeAll
    static void make() throws Exception {
        keys = TestKeys.make(folder);
    }

    private static ServerFixture start(Optional<byte[]> clientAuthority, Optional<AccessToken> token)
            throws GeneralSecurityException, InterruptedException {
        ServerTls tls = ServerTls.of(keys.certificate("server"), keys.key("server"), clientAuthority);
        ServerFixture fixture = ServerFixture.start(Optional.of(tls), token);
        fixture.awaitSample();
        return fixture;
    }

    private static String get(ServerFixture fixture, SSLContext context, String protocol, String... headers)
            throws IOException {
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), fixture.port())) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.setEnabledProtocols(new String[] {protocol});
            String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
            socket.getOutputStream()
                    .write(("GET /api/v1/registry HTTP/1.1\r\nHost: localhost:" + fixture.port()
                                    + "\r\nConnection: close\r\n" + more + "\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            return ServerFixture.read(socket);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void answersEncryptedWithTheToken(String protocol) throws Exception {
        try (ServerFixture fixture = start(Optional.empty(), Optional.of(AccessToken.of(ServerFixture.TOKEN)))) {
            SSLContext context = keys.context("");

            assertThat(fixture.server.addresses().getFirst()).startsWith("https://");
            assertThat(ServerFixture.status(get(fixture, context, protocol))).isEqualTo(401);
            assertThat(get(fixture, context, protocol, "Authorization: Bearer " + ServerFixture.TOKEN))
                    .startsWith("HTTP/1.1 200")
                    .contains("\"kind\":\"registry\"");
        }
    }

    @Test
    void cookiesGoByTlsAlone() throws Exception {
        try (ServerFixture fixture = start(Optional.empty(), Optional.of(AccessToken.of(ServerFixture.TOKEN)));
                SSLSocket socket = (SSLSocket) keys.context("")
                        .getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), fixture.port())) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream()
                    .write(("GET /?token=" + ServerFixture.TOKEN + " HTTP/1.1\r\nHost: localhost:" + fixture.port()
                                    + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            assertThat(ServerFixture.read(socket)).contains("HttpOnly; SameSite=Strict; Path=/; Secure");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aCertificateThatTheAuthoritySignedIsEnough(String protocol) throws Exception {
        try (ServerFixture fixture = start(Optional.of(keys.certificate("authority")), Optional.empty())) {
            assertThat(get(fixture, keys.context("client"), protocol))
                    .startsWith("HTTP/1.1 200")
                    .contains("\"kind\":\"registry\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void withoutSuchACertificateNobodyComesIn(String protocol) throws Exception {
        try (ServerFixture fixture = start(Optional.of(keys.certificate("authority")), Optional.empty())) {
            assertThatThrownBy(() -> get(fixture, keys.context(""), protocol)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> get(fixture, keys.context("stranger"), protocol))
                    .isInstanceOf(IOException.class);
            // and others are answered after it
            assertThat(get(fixture, keys.context("client"), protocol)).startsWith("HTTP/1.1 200");
        }
    }

    /// Java's own client refuses to speak TLS 1.1, so that the first message is made by hand; by TLS 1.2 the same is
    /// answered.
    @Test
    void oldProtocolsAreRefused() throws Exception {
        try (ServerFixture fixture = start(Optional.empty(), Optional.of(AccessToken.of(ServerFixture.TOKEN)))) {
            byte[] old = greet(fixture, 2);
            assertThat(old[0]).isEqualTo((byte) ALERT_RECORD);
            assertThat(old[6]).isEqualTo((byte) PROTOCOL_VERSION_ALERT);
            assertThat(greet(fixture, 3)[0]).isEqualTo((byte) HANDSHAKE_RECORD);
        }
    }

    /// Sends a `ClientHello` of TLS 1.(minor − 1) and returns the first bytes of what comes back.
    private static byte[] greet(ServerFixture fixture, int minor) throws IOException {
        HexFormat hex = HexFormat.of();
        String groups = "000a00040002" + "0017";
        String points = "000b00020100";
        String signatures = "000d00040002" + "0403";
        String extensions = groups + points + signatures;
        String body = "03%02x".formatted(minor) + "5a".repeat(32) + "00" + "0004c02bc009" + "0100"
                + "%04x".formatted(extensions.length() / 2) + extensions;
        String message = "01%06x".formatted(body.length() / 2) + body;
        byte[] record = hex.parseHex("160301%04x".formatted(message.length() / 2) + message);
        try (Socket socket = fixture.open()) {
            socket.getOutputStream().write(record);
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            answer.writeBytes(socket.getInputStream().readNBytes(7));
            return answer.toByteArray();
        }
    }

    /// A plain request to the port of TLS ends the connection, and nothing else.
    @Test
    void plainRequestsAreNotAnswered() throws Exception {
        try (ServerFixture fixture = start(Optional.empty(), Optional.of(AccessToken.of(ServerFixture.TOKEN)))) {
            String answer;
            try {
                answer = fixture.get("/healthz");
            } catch (IOException _) {
                answer = ""; // reset
            }
            assertThat(answer).doesNotContain("HTTP/1.1 200");
            assertThat(ServerFixture.status(get(fixture, keys.context(""), "TLSv1.3")))
                    .isEqualTo(401);
        }
    }

    @Test
    void saysThatAKeyIsOfAnotherCertificate() throws Exception {
        byte[] certificate = keys.certificate("server");
        byte[] other = keys.key("stranger");
        assertThatThrownBy(() -> ServerTls.of(certificate, other, Optional.empty()))
                .isInstanceOf(ServerException.class)
                .hasMessage("--tls-key is not the key of the certificate in --tls-cert");
    }
}
