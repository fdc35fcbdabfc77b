// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.muster.mesh.secure.SecureSocket.End;
import dev.muster.mesh.store.Secret;
import dev.muster.testing.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Both ends of a connection over real sockets.
class SecureSocketTest {
    private static final Secret SECRET = Secret.of("a secret of these tests alone");
    private static final Secret OTHER = Secret.of("another secret altogether");
    private static final byte[] WORDS = "what is said".getBytes(StandardCharsets.US_ASCII);

    private ServerSocket listener;
    private Socket near;
    private Socket far;

    @BeforeEach
    void connect() throws IOException {
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        near = new Socket(listener.getInetAddress(), listener.getLocalPort());
        far = listener.accept();
    }

    @AfterEach
    void close() throws IOException {
        near.close();
        far.close();
        listener.close();
    }

    private static End end(TlsPolicy policy, Secret secret) {
        return new End(policy, () -> secret.derive(MeshTls.LABEL));
    }

    private static long soon() {
        return System.nanoTime() + 30_000_000_000L;
    }

    private FutureTask<SecureSocket> accepting(End end) {
        FutureTask<SecureSocket> accepting = new FutureTask<>(() -> {
            try {
                return end.accept(far, soon());
            } catch (IOException e) {
                far.close();
                throw e;
            }
        });
        Thread.ofPlatform().daemon().start(accepting);
        return accepting;
    }

    private static Throwable failure(FutureTask<?> task) {
        return Objects.requireNonNull(((ExecutionException) catchThrowable(task::get)).getCause());
    }

    @ParameterizedTest
    @CsvSource({
        "AUTO,AUTO,false",
        "NEVER,NEVER,false",
        "AUTO,NEVER,false",
        "ALWAYS,ALWAYS,true",
        "ALWAYS,AUTO,true",
        "AUTO,ALWAYS,true"
    })
    void onLoopbackBothEndsGoOnAsTheStricterWants(TlsPolicy one, TlsPolicy other, boolean encrypted) throws Exception {
        FutureTask<SecureSocket> accepting = accepting(end(other, SECRET));
        SecureSocket connected = end(one, SECRET).connect(near, soon());
        SecureSocket accepted = Waiting.result(accepting);
        assertThat(connected.records().isPresent()).isEqualTo(encrypted);
        assertThat(accepted.records().isPresent()).isEqualTo(encrypted);

        connected.out().write(WORDS);
        assertThat(accepted.in().readNBytes(WORDS.length)).isEqualTo(WORDS);
        byte[] large = new byte[300_000];
        new Random(1).nextBytes(large);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                accepted.out().write(large);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        assertThat(connected.in().readNBytes(large.length)).isEqualTo(large);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1,127.0.0.2,EITHER", "127.0.0.1,192.0.2.1,NETWORK", "192.0.2.1,192.0.2.1,NETWORK"})
    void beyondLoopbackTlsIsDemanded(String one, String other, TlsPolicy.Wish wish) {
        assertThat(TlsPolicy.AUTO.wish(InetAddress.ofLiteral(one), InetAddress.ofLiteral(other)))
                .isEqualTo(wish);
        assertThat(TlsPolicy.AUTO.wish(InetAddress.ofLiteral(other), InetAddress.ofLiteral(one)))
                .isEqualTo(wish);
    }

    @Test
    void anotherSecretIsRefusedOnBothEnds() {
        FutureTask<SecureSocket> accepting = accepting(end(TlsPolicy.ALWAYS, OTHER));
        assertThatThrownBy(() -> end(TlsPolicy.ALWAYS, SECRET).connect(near, soon()))
                .isInstanceOf(PeerRefusedException.class)
                .hasMessage("the other side has another secret: its key is not that of this mesh");
        assertThat(failure(accepting))
                .isInstanceOf(PeerRefusedException.class)
                .hasMessage("the other side says that this side has another secret");
    }

    @ParameterizedTest
    @CsvSource({"ALWAYS,NEVER", "NEVER,ALWAYS"})
    void endsThatWantTheOppositeSaySoAndNameBoth(TlsPolicy one, TlsPolicy other) {
        FutureTask<SecureSocket> accepting = accepting(end(other, SECRET));
        assertThatThrownBy(() -> end(one, SECRET).connect(near, soon()))
                .isInstanceOf(PeerRefusedException.class)
                .hasMessageContaining("MUSTER_MESH_TLS=" + one.text())
                .hasMessageContaining("MUSTER_MESH_TLS=" + other.text())
                .hasMessageStartingWith("this side (127.0.0.1) ")
                .hasMessageContaining("the other side (127.0.0.1) ");
        assertThat(failure(accepting))
                .isInstanceOf(PeerRefusedException.class)
                .hasMessageContaining("MUSTER_MESH_TLS=never");
    }

    /// One that greets as if it took either and then goes on without TLS.
    @Test
    void whoGoesOnInTheOpenWhereTlsIsDemandedIsRefused() throws Exception {
        FutureTask<SecureSocket> accepting = accepting(end(TlsPolicy.ALWAYS, SECRET));
        near.getOutputStream().write("MUSTER3\u0001".getBytes(StandardCharsets.US_ASCII));
        near.getOutputStream().write(new byte[64]);
        assertThat(failure(accepting))
                .isInstanceOf(PeerRefusedException.class)
                .hasMessageStartingWith("the TLS handshake failed: ");
    }

    @Test
    void whoIsNoMemberIsRefused() throws Exception {
        FutureTask<SecureSocket> accepting = accepting(end(TlsPolicy.AUTO, SECRET));
        near.getOutputStream().write("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(failure(accepting))
                .isInstanceOf(PeerRefusedException.class)
                .hasMessage("the other side is not a member of a mesh of this version");
    }

    @Test
    void silenceEndsAtTheDeadline() {
        assertThatThrownBy(() -> end(TlsPolicy.AUTO, SECRET).accept(far, System.nanoTime() + 10_000_000))
                .isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void whoIsSentAwayKnowsThatItMayComeAgain() throws Exception {
        SecureSocket.sendAway(far);
        Throwable sent = catchThrowable(() -> end(TlsPolicy.AUTO, SECRET).connect(near, soon()));
        assertThat(sent).isInstanceOf(IOException.class).hasMessageContaining("no room");
        assertThat(SecureSocket.isCrowded((IOException) sent)).isTrue();
        assertThat(SecureSocket.isCrowded(new IOException("no room"))).isFalse();
    }
}
