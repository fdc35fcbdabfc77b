// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.collective.StoreContext;
import dev.muster.mesh.secure.PeerRefusedException;
import dev.muster.mesh.secure.TlsPolicy;
import dev.muster.mesh.store.MemoryStore;
import dev.muster.mesh.store.Secret;
import dev.muster.mesh.store.Store;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Waiting;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Errors of a member if the other end of its connection is not what it should be: the other end is played here,
/// byte by byte, over real sockets.
@Needs(Need.LINUX)
class HostilePeerTest {
    private static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef");
    private static final Secret OTHER_SECRET = Secret.of("ffffffffffffffffffffffffffffffff");
    private static final Duration LIMIT = Waiting.limit(Duration.ofSeconds(1));
    private static final long MILLIS = Waiting.seconds(10) * 1_000;
    private static final long MANY = 100_000_000;

    private final MemoryStore hub = MemoryStore.create();
    private final Store store = hub.open();
    private long socketsBefore;

    /// Members wait for the addresses of all others; the first one dials none.
    @BeforeEach
    void announceTheOtherMember() {
        store.set("group/world/tcp/1", "127.0.0.1 1".getBytes(StandardCharsets.UTF_8));
    }

    @BeforeEach
    void countSockets() throws IOException {
        SocketChannel.open().close(); // Java keeps a socket of its own from the first one on
        socketsBefore = sockets();
    }

    @AfterEach
    void noSocketIsLeft() throws IOException, InterruptedException {
        hub.close();
        awaitPendingAreDropped();
        assertThat(sockets()).isEqualTo(socketsBefore);
    }

    private static long sockets() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .filter(descriptor -> {
                        try {
                            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .count();
        }
    }

    /// The honest member, rank 0 of 2, which waits for the other one.
    private FutureTask<ProcessGroup> member() {
        FutureTask<ProcessGroup> member = new FutureTask<>(() -> {
            GroupIdentity group = GroupIdentity.world(2, 0, 1);
            return ProcessGroup.of(
                    group,
                    new TcpProvider().open(group, new StoreContext(store, SECRET, LIMIT, group.size())),
                    LIMIT,
                    UnaryOperator.identity());
        });
        Thread.ofPlatform().daemon().start(member);
        return member;
    }

    private SocketChannel dial() throws IOException {
        String[] where = new String(store.await("group/world/tcp/0", LIMIT), StandardCharsets.UTF_8).split(" ");
        return SocketChannel.open(new InetSocketAddress(InetAddress.ofLiteral(where[0]), Integer.parseInt(where[1])));
    }

    /// The other end, which proves itself as rank 1 and is then free to misbehave.
    private Admitted admitted() throws IOException {
        return new Admitted(handshake(1, SECRET).connect(0, dial(), soon()));
    }

    private static PeerHandshake handshake(long incarnation, Secret secret) {
        return new PeerHandshake(GroupIdentity.world(2, 1, incarnation), secret, TlsPolicy.AUTO);
    }

    private static long soon() {
        return System.nanoTime() + MILLIS * 1_000_000;
    }

    private record Admitted(AuthenticatedPeer peer) implements AutoCloseable {
        SocketChannel channel() {
            return peer.channel();
        }

        ByteBuffer head(long incarnation, long what, long howMuch, long bytes) {
            ByteBuffer head = ByteBuffer.allocate(FrameHead.BYTES);
            new FrameHead(peer.sent()).write(head, incarnation, what, howMuch, bytes);
            return head.flip();
        }

        /// The head that the member itself sends, as its peer would send it.
        FrameHead heard() throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(FrameHead.BYTES);
            while (bytes.hasRemaining() && channel().read(bytes) >= 0) {
                Thread.onSpinWait();
            }
            FrameHead head = new FrameHead(peer.received());
            assertThat(head.read(bytes.flip(), 1)).isTrue();
            return head;
        }

        @Override
        public void close() throws IOException {
            peer.channel().close();
        }
    }

    private static GroupException failure(ProcessGroup group, long bytes) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(bytes);
            GroupException failure = catchThrowableOfType(
                    GroupException.class, () -> group.allReduce(buffer, DType.UINT8, ReduceOp.SUM));
            assertThat(failure.getMessage()).startsWith("group world: all-reduce of ");
            return failure;
        }
    }

    private static Throwable cause(FutureTask<ProcessGroup> member) {
        ExecutionException failed = catchThrowableOfType(ExecutionException.class, member::get);
        return Objects.requireNonNull(failed.getCause());
    }

    @Test
    void whoDoesNotKnowTheSecretIsNotLetIn() throws Exception {
        FutureTask<ProcessGroup> member = member();
        try (SocketChannel client = dial()) {
            PeerHandshake wrong = handshake(1, OTHER_SECRET);
            assertThatThrownBy(() -> wrong.connect(0, client, soon()))
                    .isInstanceOf(PeerRefusedException.class)
                    .hasMessageContaining("does not know the secret");
            assertThat(cause(member)).isInstanceOfSatisfying(GroupException.class, failure -> {
                assertThat(failure.code()).isEqualTo(GroupError.LIMIT_EXCEEDED);
                assertThat(failure.missingRanks()).containsExactly(1);
            });
        }
    }

    @Test
    void whoIsOfAnotherIncarnationIsNotLetIn() throws Exception {
        FutureTask<ProcessGroup> member = member();
        try (SocketChannel late = dial()) {
            PeerHandshake older = handshake(7, SECRET);
            assertThatThrownBy(() -> older.connect(0, late, soon())).isInstanceOf(IOException.class);
            assertThat(cause(member)).isInstanceOf(GroupException.class);
        }
    }

    @Test
    void silentConnectionsDelayNoMember() throws Exception {
        FutureTask<ProcessGroup> member = member();
        try (SocketChannel silent = dial();
                SocketChannel half = dial()) {
            half.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            try (Admitted peer = admitted();
                    ProcessGroup group = Waiting.result(member)) {
                assertThat(peer.channel().isConnected()).isTrue();
                assertThat(silent.isConnected()).isTrue();
                assertThat(group.size()).isEqualTo(2);
            }
        }
    }

    /// Their threads let go of them a moment after they were refused, or when the time for a handshake has passed.
    private void awaitPendingAreDropped() throws IOException, InterruptedException {
        for (int i = 0; i < 1_000 && sockets() > socketsBefore; i++) {
            Thread.sleep(10);
        }
    }

    /// As after a cable was pulled: the connection is there, and nothing ever comes.
    @Test
    void aHalfOpenConnectionEndsAtTheLimit() throws Exception {
        FutureTask<ProcessGroup> member = member();
        try (Admitted peer = admitted();
                ProcessGroup group = Waiting.result(member)) {
            GroupException failure = failure(group, 8);
            assertThat(failure.code()).isEqualTo(GroupError.LIMIT_EXCEEDED);
            assertThat(failure.missingRanks()).containsExactly(1);
            assertThat(peer.channel().isOpen()).isTrue();
        }
    }

    @Test
    void aReaderThatIsTooSlowEndsAtTheLimit() throws Exception {
        FutureTask<ProcessGroup> member = member();
        try (Admitted peer = admitted();
                ProcessGroup group = Waiting.result(member)) {
            peer.channel().setOption(StandardSocketOptions.SO_RCVBUF, 4096);
            Thread.ofPlatform().daemon().start(() -> dribble(peer.channel()));
            GroupException failure = failure(group, MANY);
            assertThat(failure.code()).isEqualTo(GroupError.LIMIT_EXCEEDED);
            assertThat(failure.missingRanks()).containsExactly(1);
        }
    }

    private static void dribble(SocketChannel peer) {
        ByteBuffer few = ByteBuffer.allocate(100);
        try {
            while (peer.read(few.clear()) >= 0) {
                Thread.sleep(10);
            }
        } catch (IOException | InterruptedException e) {
            return; // the test has ended
        }
    }

    @Test
    void aFrameThatBreaksOffIsALostPeer() throws Exception {
        FutureTask<ProcessGroup> member = member();
        try (Admitted peer = admitted();
                ProcessGroup group = Waiting.result(member)) {
            peer.channel().write(peer.head(1, 0, 8, 8).limit(FrameHead.BYTES / 2));
            peer.channel().shutdownOutput();
            GroupException failure = failure(group, 8);
            assertThat(failure.code()).isEqualTo(GroupError.PEER_LOST);
            assertThat(failure.missingRanks()).containsExactly(1);
        }
    }

    @Test
    void aMessageThatBreaksOffIsALostPeer() throws Exception {
        FutureTask<ProcessGroup> member = member();
        try (Admitted peer = admitted();
                ProcessGroup group = Waiting.result(member)) {
            Thread echo = Thread.ofPlatform().daemon().start(() -> {
                try {
                    FrameHead heard = peer.heard();
                    peer.channel().write(peer.head(1, heard.what(), heard.howMuch(), heard.length()));
                    peer.channel().write(ByteBuffer.allocate(3));
                    peer.channel().shutdownOutput();
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            GroupException failure = failure(group, 8);
            assertThat(failure.code()).isEqualTo(GroupError.PEER_LOST);
            echo.join(MILLIS);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {9, 0, -1, Long.MAX_VALUE, Long.MIN_VALUE})
    void aMessageOfAnotherLengthIsADisagreementAndNotBelieved(long bytes) throws Exception {
        FutureTask<ProcessGroup> member = member();
        try (Admitted peer = admitted();
                ProcessGroup group = Waiting.result(member)) {
            Thread echo = Thread.ofPlatform().daemon().start(() -> {
                try {
                    FrameHead heard = peer.heard();
                    peer.channel().write(peer.head(1, heard.what(), heard.howMuch(), bytes));
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            GroupException failure = failure(group, 8);
            assertThat(failure.code()).isEqualTo(GroupError.DISAGREEMENT);
            assertThat(failure.getMessage()).contains(bytes + " bytes").contains("8 are expected");
            echo.join(MILLIS);
        }
    }

    @Test
    void bytesThatAreNoFrameAreNamedAsSuch() throws Exception {
        for (boolean tagged : List.of(false, true)) {
            store.delete("group/world/tcp/0");
            FutureTask<ProcessGroup> member = member();
            try (Admitted peer = admitted();
                    ProcessGroup group = Waiting.result(member)) {
                peer.channel().write(tagged ? peer.head(2, 0, 8, 8) : ByteBuffer.allocate(FrameHead.BYTES));
                GroupException failure = failure(group, 8);
                assertThat(failure.code()).isEqualTo(GroupError.PROTOCOL);
                assertThat(failure.getMessage()).contains("rank 1");
            }
        }
    }
}
