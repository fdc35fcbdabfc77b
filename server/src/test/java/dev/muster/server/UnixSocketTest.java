// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server at a Unix socket.
@Needs(Need.POSIX)
@Timeout(60)
class UnixSocketTest {
    @TempDir
    Path folder = Path.of("");

    private Path socket = Path.of("");
    private String address = "";

    @BeforeEach
    void name() {
        socket = folder.resolve("serve.sock");
        address = "unix:" + socket;
    }

    private String send(String request) throws IOException {
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            client.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.ISO_8859_1)));
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            ByteBuffer part = ByteBuffer.allocate(8192);
            while (client.read(part) >= 0) {
                answer.write(part.array(), 0, part.position());
                part.clear();
            }
            return answer.toString(StandardCharsets.UTF_8);
        }
    }

    private String get(String path, String host, String... headers) throws IOException {
        StringBuilder request =
                new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return send(request.append("\r\n").toString());
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void itsOwnerAloneCanOpenItAndNeedsNoToken() throws Exception {
        try (ServerFixture fixture = ServerFixture.at(address)) {
            fixture.awaitSample();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                    .isEqualTo("rw-------");
            assertThat(files()).containsExactly("serve.sock");
            assertThat(fixture.server.addresses()).containsExactly(address);
            assertThat(get("/api/v1/registry", "localhost"))
                    .startsWith("HTTP/1.1 200")
                    .contains("\"kind\":\"registry\"");
            assertThat(get("/metrics", "localhost")).startsWith("HTTP/1.1 200").contains("muster_up 1");
            assertThat(get("/api/v1/registry", "muster.example")).startsWith("HTTP/1.1 200");
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void otherNamesAndOtherSitesAreRefusedThereToo() throws Exception {
        try (ServerFixture _ = ServerFixture.at(address)) {
            assertThat(get("/api/v1/registry", "evil.example")).startsWith("HTTP/1.1 421");
            assertThat(get("/api/v1/registry", "localhost", "Origin: http://evil.example"))
                    .startsWith("HTTP/1.1 403");
            assertThat(get("/api/v1/registry", "localhost", "Origin: http://localhost:3000"))
                    .startsWith("HTTP/1.1 403");
            assertThat(send("BREW / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 405");
        }
    }

    @Test
    void whereOneAddressFailsNoFileIsLeft() throws Exception {
        // The second asks for the port that the first found.
        assertThatThrownBy(() -> ServerFixture.at("127.0.0.1:0", address, "127.0.0.1:0"))
                .isInstanceOf(ServerException.class)
                .hasMessageStartingWith("cannot listen on 127.0.0.1:");
        assertThat(files()).isEmpty();
    }

    @Test
    void aPortBesideItKeepsItsToken() throws Exception {
        try (ServerFixture fixture = ServerFixture.at(address, "127.0.0.1:0")) {
            fixture.awaitSample();
            assertThat(fixture.server.addresses()).containsExactly("http://localhost:" + fixture.port() + "/", address);
            assertThat(fixture.get("/api/v1/registry")).startsWith("HTTP/1.1 401");
            assertThat(fixture.data("/api/v1/registry")).startsWith("HTTP/1.1 200");
            assertThat(fixture.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 421");
            assertThat(get("/api/v1/registry", "localhost")).startsWith("HTTP/1.1 200");
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void eventsEndWithTheServer() throws Exception {
        try (ServerFixture fixture = ServerFixture.at(address);
                SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            fixture.awaitSample();
            client.write(ByteBuffer.wrap(
                    "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1)));
            ByteBuffer first = ByteBuffer.allocate(8192);
            StringBuilder read = new StringBuilder();
            while (read.indexOf("event: sample") < 0 && client.read(first) >= 0) {
                read.append(new String(first.array(), 0, first.position(), StandardCharsets.UTF_8));
                first.clear();
            }
            assertThat(read).contains("event: sample");
            fixture.server.close();
            while (client.read(first) >= 0) {
                first.clear();
            }
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void whatADeadServerLeftIsReplaced() throws Exception {
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(socket));
        }
        assertThat(files()).containsExactly("serve.sock");
        try (ServerFixture _ = ServerFixture.at(address)) {
            assertThat(get("/-/healthy", "localhost")).startsWith("HTTP/1.1 200");
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void aLiveServerStays() throws Exception {
        try (ServerFixture _ = ServerFixture.at(address)) {
            assertRefused(address, "another server listens there; stop it, or give another path");
            assertThat(get("/-/healthy", "localhost")).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void aServerThatLetsNobodyInIsALiveOne() throws Exception {
        try (ServerSocketChannel busy = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            busy.bind(UnixDomainSocketAddress.of(socket), 1);
            List<SocketChannel> waiting = new ArrayList<>();
            try {
                assertThatThrownBy(() -> {
                            while (waiting.size() < 100) {
                                waiting.add(SocketChannel.open(StandardProtocolFamily.UNIX));
                                waiting.getLast().configureBlocking(false);
                                waiting.getLast().connect(UnixDomainSocketAddress.of(socket));
                            }
                        })
                        .as("its queue is full, and to connect would wait")
                        .isInstanceOf(SocketException.class);
                assertRefused(address, "another server may listen there");
                assertThat(files()).containsExactly("serve.sock");
            } finally {
                for (SocketChannel client : waiting) {
                    client.close();
                }
            }
        }
    }

    @Test
    void whatIsNoSocketIsNeverDeleted() throws Exception {
        Files.writeString(socket, "mine");
        assertRefused(address, "a file that is not a socket exists there, and is kept");
        assertThat(socket).hasContent("mine");

        Files.delete(socket);
        Files.createDirectory(socket);
        assertRefused(address, "a file that is not a socket exists there, and is kept");
        Files.delete(socket);

        Path other = folder.resolve("other.sock");
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(other));
        }
        Files.createSymbolicLink(socket, other);
        assertRefused(address, "a file that is not a socket exists there, and is kept");
        assertThat(files()).containsExactly("other.sock", "serve.sock");
    }

    /// A file that took the socket's place while the server ran belongs to another user.
    @Test
    void theEndDeletesOnlyItsOwnFile() throws Exception {
        try (ServerFixture _ = ServerFixture.at(address)) {
            Files.delete(socket);
            Files.writeString(socket, "mine");
        }
        assertThat(socket).hasContent("mine");
    }

    @Test
    void pathsThatCannotBeAreToldOf() throws Exception {
        assertRefused("unix:" + folder.resolve("none/serve.sock"), "folder '" + folder.resolve("none") + "' not found");
        Path tooLong = folder.resolve("x".repeat(120));
        assertThatThrownBy(() -> ServerFixture.at("unix:" + tooLong))
                .isInstanceOf(ServerException.class)
                .hasMessage("the path of a Unix socket has at most 106 bytes, and this would take "
                        + tooLong.toString().length() + "; give another path with --listen unix:PATH");
        assertRefused("unix:/", "that is a folder");
        Path file = Files.writeString(folder.resolve("file"), "");
        assertRefused("unix:" + file.resolve("serve.sock"), "no file can be created in that folder");
        assertThat(ListenAddress.find("unix:")).isEmpty();
        assertThat(ListenAddress.find("unix:a\0b")).isEmpty();
        assertThat(files()).containsExactly("file");
    }

    /// As long as Java takes.
    @Test
    void thePathMayHave106Bytes() throws Exception {
        int room = 106 - folder.toString().length() - 1;
        socket = folder.resolve("x".repeat(room));
        try (ServerFixture _ = ServerFixture.at("unix:" + socket)) {
            assertThat(get("/-/healthy", "localhost")).startsWith("HTTP/1.1 200");
        }
        assertThat(Files.exists(socket, LinkOption.NOFOLLOW_LINKS)).isFalse();
        assertThatThrownBy(() -> ServerFixture.at("unix:" + socket + "x"))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("and this would take 107");
    }

    private static void assertRefused(String address, String why) {
        assertThatThrownBy(() -> ServerFixture.at(address))
                .isInstanceOf(ServerException.class)
                .hasMessageStartingWith("cannot listen on " + address + ": ")
                .hasMessageContaining(why)
                .hasMessageNotContaining("\n");
    }
}
