// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.mesh.store.StoreException.StoreError;
import dev.muster.testing.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Both sides of the proof, without a server around them.
class HandshakeTest {
    private static final TcpStoreConfig CONFIG = TcpStoreConfig.of(StoreKind.SECRET);

    /// Else it would take its first call for the loss of the store, where another try would have let it in.
    @Test
    void whoKnowsTheSecretButIsNotLetInWasNeverWelcome() throws Exception {
        try (ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket outside = new Socket(door.getInetAddress(), door.getLocalPort());
                Socket inside = door.accept()) {
            CompletableFuture<StoreException> served =
                    CompletableFuture.supplyAsync(() -> serveWithoutRoom(inside), Thread::startVirtualThread);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> ClientConnection.over(outside, CONFIG))
                    .withMessageContaining("no room");
            assertThat(served.get(Waiting.seconds(60), TimeUnit.SECONDS).code()).isEqualTo(StoreError.REFUSED);
        }
    }

    private static StoreException serveWithoutRoom(Socket inside) {
        try {
            FrameChannel wire = new FrameChannel(inside, CONFIG.handshakeLimit(), _ -> {});
            wire.open(CONFIG.end(), false, CONFIG.handshakeLimit());
            new Handshake(wire, CONFIG).serve(() -> false);
            throw new AssertionError("it was let in");
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (StoreException e) {
            return e;
        }
    }
}
