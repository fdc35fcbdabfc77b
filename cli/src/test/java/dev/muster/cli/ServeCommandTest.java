// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServeCommandTest {
    private static final String SERVE = "serve --synthetic h100-sxm:2 --listen 127.0.0.1:0 ";

    @TempDir
    static Path folder = Path.of("");

    private static Path token;

    @BeforeAll
    static void write() throws IOException {
        Files.writeString(folder.resolve("empty"), "");
        Files.writeString(folder.resolve("short"), "secret\n");
        Files.writeString(folder.resolve("garbage"), "{\"a\":\n");
        token = Files.writeString(folder.resolve("token"), "synthetic-token-0123456789abcdef\n");
    }

    /// `DIR` stands for a folder with wrong files.
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0001',
            value = {
                "serve --interval 0 | 2 | --interval is a time from 100ms to 60m, such as 2s or 500ms, not '0'",
                "serve --listen nowhere | 2 | --listen is an address and a port",
                "serve --listen 127.0.0.1:65536 | 2 | --listen is an address and a port",
                "serve --listen 0.0.0.0:0 --no-token | 2 | --no-token works on loopback only",
                "serve --listen unix: | 2 | --listen is an address and a port, such as",
                "serve --listen unix:DIR/none/s.sock | 1 | cannot listen on unix:DIR/none/s.sock: folder",
                "serve --listen unix:DIR/token | 1 | cannot listen on unix:DIR/token: a file that " + "is not a socket",
                "serve --listen unix:DIR/s --token-file DIR/token | 2 | --token-file does not apply: ",
                "serve --no-token --token-file DIR/token | 2 | --token-file does not apply: --no-token " + "uses none",
                "serve --tls-cert DIR/garbage | 2 | HTTPS needs both --tls-cert and --tls-key",
                "serve --tls-cert DIR/garbage --tls-key DIR/garbage | 1 | --tls-cert contains no certificate",
                "serve --tls-cert DIR/none --tls-key DIR/garbage | 1 | file 'DIR/none' not found",
                "serve --token-file DIR/empty | 1 | 'DIR/empty' does not contain a valid token: a token has 22 to 512 characters",
                "serve --token-file DIR/short | 1 | 'DIR/short' does not contain a valid token: a token has 22 to 512 characters",
                "serve --token-file DIR | 1 | 'DIR' is not a regular file",
                "serve --allow-host a,b/c | 2 | --allow-host is names such as muster.example",
                "serve --otlp nonsense | 2 | --otlp is the URL of a collector, such as http://localhost:4318, not",
                "serve --otlp ftp://localhost | 2 | --otlp is the URL of a collector",
                "serve --replay DIR/garbage | 1 | cannot replay 'DIR/garbage': line 1 of the recording is damaged: line 1, column 6",
                "serve --replay DIR/empty | 1 | 'DIR/empty' contains no registry; record one with",
                "serve --host DIR/none | 1 | ",
                "serve --metric-names mine | 2 | --metric-names is one of muster, dcgm, otel, not 'mine'",
                "serve --keep 1ms | 2 | --keep is a time from 2s to 7d",
                "serve --alert nonsense | 2 | --alert: a rule is a fact, a sign and a limit",
            })
    void wrongOptionsAreToldInASentence(String words, int code, String sentence) {
        Outcome outcome =
                MusterRun.inPipe().run(words.replace("DIR", folder.toString()).split(" "));

        assertThat(outcome.code()).as(outcome.err()).isEqualTo(code);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .startsWith("muster: " + (sentence == null ? "" : sentence.replace("DIR", folder.toString())))
                .hasLineCount(1);
    }

    @Test
    void aPortInUseIsNamed() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            Outcome outcome = MusterRun.inPipe().run("serve", "--listen", address);

            assertThat(outcome.code()).isEqualTo(1);
            assertThat(outcome.err())
                    .isEqualTo("muster: cannot listen on " + address
                            + ": Address already in use; choose another with --listen ADDRESS:PORT\n");
        }
    }

    @Test
    void aSocketIsToldWithoutATokenAndAPortWithOne() {
        Path socket = folder.resolve("told.sock");
        String alone = "serve --synthetic h100-sxm:2 --listen unix:" + socket;
        MusterRun once = MusterRun.inPipe().withPause(_ -> {
            assertThat(socket).exists();
            return false;
        });

        assertThat(once.run(alone.split(" ")).out()).isEqualTo("unix:" + socket + "\n");
        Outcome both = once.run((alone + " --listen 127.0.0.1:0").split(" "));
        assertThat(both.code()).isEqualTo(0);
        assertThat(both.out())
                .startsWith("http://localhost:")
                .contains("/?token=")
                .endsWith("\nunix:" + socket + "\n");
        assertThat(socket).doesNotExist();
    }

    /// The collector closes every connection: the export is retried, and reported once.
    @Test
    void aCollectorThatIsGoneIsToldOnce() throws IOException {
        CountDownLatch tries = new CountDownLatch(3);
        try (ServerSocket collector = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        Socket client = collector.accept();
                        client.close();
                        tries.countDown();
                    }
                } catch (IOException _) {
                    // the test is over
                }
            });
            String url = "http://127.0.0.1:" + collector.getLocalPort();
            String words = SERVE + "--otlp-interval 100ms --interval 100ms --otlp " + url;
            int[] turns = {0};
            Outcome outcome = MusterRun.inPipe()
                    .withPause(_ -> turns[0]++ < 3 && await(tries))
                    .run(words.split(" "));

            assertThat(outcome.code()).isEqualTo(0);
            assertThat(outcome.err().lines().filter(line -> line.contains("the collector")))
                    .singleElement()
                    .asString()
                    .startsWith("muster: the collector at 127.0.0.1:" + collector.getLocalPort() + " cannot be reached")
                    .endsWith("; retrying");
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    @Needs(Need.POSIX)
    void aTokenThatEverybodyCanReadIsToldOf() throws IOException {
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(serveOnce().err()).contains("muster: all users of this machine can read '" + token + "'");

        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        Outcome quiet = serveOnce();
        assertThat(quiet.code()).isEqualTo(0);
        assertThat(quiet.err()).doesNotContain("can read").contains("press Ctrl-C to stop");
        assertThat(quiet.out()).startsWith("http://localhost:").doesNotContain("token");
    }

    private static Outcome serveOnce() {
        return MusterRun.inPipe().withPause(_ -> false).run((SERVE + "--token-file " + token).split(" "));
    }
}
