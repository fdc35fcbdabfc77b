// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import static dev.muster.mesh.store.StoreConformanceTest.assertFault;
import static dev.muster.mesh.store.StoreConformanceTest.bytes;
import static dev.muster.mesh.store.StoreKind.LONG;
import static dev.muster.mesh.store.StoreKind.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.mesh.ManInTheMiddle;
import dev.muster.mesh.ManInTheMiddle.Trick;
import dev.muster.mesh.store.StoreException.StoreError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// A store whose connections are encrypted, and messages that are changed on the way.
class TlsStoreTest {
    private static final TcpStoreConfig OPEN = TcpStoreConfig.of(SECRET).withSilence(Duration.ofSeconds(6));
    private static final TcpStoreConfig ENCRYPTED = OPEN.withTls("always");

    @Test
    void whoHasAnotherSecretIsRefusedWithASentence() {
        try (TcpStoreServer server = TcpStoreServer.start(ENCRYPTED)) {
            TcpStoreConfig wrong =
                    TcpStoreConfig.of(Secret.of("another secret altogether")).withTls("always");
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> TcpStore.connect(server.address(), wrong, LONG))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(StoreError.REFUSED))
                    .withMessageContaining("another secret");
            assertThat(server.connections()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"always,never", "never,always"})
    void sidesThatWantTheOppositeAreRefusedWithASentence(String server, String client) {
        try (TcpStoreServer serving = TcpStoreServer.start(OPEN.withTls(server))) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> TcpStore.connect(serving.address(), OPEN.withTls(client), LONG))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(StoreError.REFUSED))
                    .withMessageContaining("MUSTER_MESH_TLS=always")
                    .withMessageContaining("MUSTER_MESH_TLS=never");
        }
    }

    @ParameterizedTest
    @CsvSource({"never,0.0.0.0,1", "never,192.0.2.1,1", "never,127.0.0.1,0", "auto,0.0.0.0,0", "always,0.0.0.0,0"})
    void neverBeyondLoopbackIsSaid(String tls, String address, int times) {
        KeptLog log = new KeptLog(new ArrayList<>());
        TcpStoreServer.warnIfOpen(log, InetAddress.ofLiteral(address), OPEN.withTls(tls));
        assertThat(log.said).hasSize(times).allMatch(line -> line.startsWith("WARNING MUSTER_MESH_TLS=never: "));
    }

    private record KeptLog(List<String> said) implements System.Logger {
        @Override
        public String getName() {
            return "kept";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
            said.add(level + " " + message);
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... values) {
            said.add(level + " " + format);
        }
    }

    @Test
    void noOtherWordIsTaken() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPEN.withTls("sometimes"))
                .withMessage("MUSTER_MESH_TLS is auto, always or never, not 'sometimes'");
    }

    /// Members come in while others throw rubbish at the handshake.
    @Test
    void rubbishInTheHandshakeKeepsNobodyWaiting() throws IOException {
        List<Socket> clients = new ArrayList<>();
        Random random = new Random(3);
        try (TcpStoreServer server = TcpStoreServer.start(ENCRYPTED)) {
            for (int i = 0; i < 40; i++) {
                Socket client = new Socket(
                        server.address().getAddress(), server.address().getPort());
                clients.add(client);
                byte[] rubbish = new byte[random.nextInt(600)];
                random.nextBytes(rubbish);
                client.getOutputStream().write(bytes("MUSTER3\u0003"));
                client.getOutputStream().write(rubbish);
            }
            try (Store member = TcpStore.connect(server.address(), ENCRYPTED, LONG)) {
                member.set("key", bytes("in"));
                assertThat(server.connections()).isEqualTo(1);
            }
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Trick.class,
            names = {"FLIP", "REPEAT", "LEAVE_OUT", "CUT"})
    void underTlsAChangedMessageIsNeverObeyed(Trick trick) throws IOException {
        assertNeverObeyed(ENCRYPTED, trick);
    }

    @ParameterizedTest
    @EnumSource(
            value = Trick.class,
            names = {"FLIP", "REPEAT", "LEAVE_OUT", "CUT"})
    void inTheOpenAChangedMessageIsNeverObeyed(Trick trick) throws IOException {
        assertNeverObeyed(OPEN, trick);
    }

    /// A repeated message does its work once, and the connection ends with the second.
    private static void assertNeverObeyed(TcpStoreConfig config, Trick trick) throws IOException {
        try (TcpStoreServer server = TcpStoreServer.start(config);
                Store own = server.open();
                ManInTheMiddle man = ManInTheMiddle.before(server.address());
                Store member = TcpStore.connect(man.address(), config, LONG)) {
            member.setOnLoss("lost", bytes(""));
            assertThat(member.add("count", 1)).isEqualTo(1);
            man.play(trick);
            long most = 1;
            try {
                most = member.add("count", 1);
            } catch (StoreException e) {
                assertThat(e.code()).isEqualTo(StoreError.LOST);
            }
            own.await("lost", LONG);
            assertThat(own.add("count", 0)).isLessThanOrEqualTo(2).isGreaterThanOrEqualTo(most);
            assertFault(StoreError.LOST, () -> member.set("key", bytes("late")));
        }
    }
}
