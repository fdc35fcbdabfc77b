// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import static dev.muster.mesh.store.StoreConformanceTest.assertFault;
import static dev.muster.mesh.store.StoreConformanceTest.bytes;
import static dev.muster.mesh.store.StoreKind.LONG;
import static dev.muster.mesh.store.StoreKind.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.mesh.secure.FrameTags;
import dev.muster.mesh.store.Store.Listener;
import dev.muster.mesh.store.StoreException.StoreError;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store behind a socket: who is let in, who is cut off, and what the others notice of it.
class TcpStoreTest {
    private static final TcpStoreConfig CONFIG = TcpStoreConfig.of(SECRET);
    private static final TcpStoreConfig HASTY =
            CONFIG.withHandshakeLimit(Duration.ofMillis(100)).withSilence(Duration.ofMillis(400));

    private static final int HELLO = Handshake.HELLO_BYTES;
    /// That of an end that takes what the other wants.
    private static final byte[] GREETING = bytes("MUSTER3\u0001");

    private static final Duration SHORT = Duration.ofMillis(300);
    /// More than a server keeps.
    private static final int MANY_PENDING = 1_100;

    @TempDir
    private Path folder;

    @Test
    void servesOnLoopbackUnlessToldOtherwise() {
        try (TcpStoreServer server = TcpStoreServer.start(CONFIG)) {
            assertThat(server.address().getAddress().isLoopbackAddress()).isTrue();
        }
        try (TcpStoreServer any = TcpStoreServer.start(new InetSocketAddress(0), CONFIG)) {
            assertThat(any.address().getAddress().isAnyLocalAddress()).isTrue();
            assertFault(StoreError.REFUSED, () -> TcpStoreServer.start(any.address(), CONFIG));
        }
    }

    @Test
    void whoDoesNotKnowTheSecretIsRefused() {
        try (TcpStoreServer server = TcpStoreServer.start(CONFIG);
                Store member = connect(server, CONFIG)) {
            TcpStoreConfig wrong = TcpStoreConfig.of(Secret.of("another secret altogether"));

            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> connect(server, wrong))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(StoreError.REFUSED))
                    .withMessageContaining("secret");
            member.set("key", bytes("undisturbed"));
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    /// A server that says "welcome" to every client cannot prove that it knows the secret.
    @Test
    void aServerThatDoesNotKnowTheSecretIsRefused() throws Exception {
        try (ServerSocket impostorSocket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread impostor = Thread.startVirtualThread(() -> {
                try (Socket peer = impostorSocket.accept()) {
                    byte[] hello = ByteBuffer.allocate(HELLO)
                            .put(bytes("MUSTER3\n"))
                            .putLong(1)
                            .array();
                    peer.getOutputStream().write(GREETING);
                    peer.getInputStream().readNBytes(GREETING.length);
                    peer.getOutputStream().write(hello);
                    byte[] answer = peer.getInputStream().readNBytes(HELLO + 32);
                    assertThat(new String(answer, StandardCharsets.ISO_8859_1)).doesNotContain("a secret of");
                    peer.getOutputStream().write(new byte[33]);
                    peer.getInputStream().read();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            InetSocketAddress address = (InetSocketAddress) impostorSocket.getLocalSocketAddress();
            assertFault(StoreError.REFUSED, () -> TcpStore.connect(address, CONFIG, LONG));
            impostor.join();
        }
    }

    @Test
    void aRecordedHandshakeIsWorthNothing() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.start(CONFIG)) {
            byte[] proof;
            try (ServerSocket between = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                CompletableFuture<byte[]> recorded = new CompletableFuture<>();
                Thread.startVirtualThread(() -> record(between, server, recorded));
                InetSocketAddress address = (InetSocketAddress) between.getLocalSocketAddress();
                assertFault(StoreError.LIMIT_EXCEEDED, () -> TcpStore.connect(address, CONFIG, SHORT));
                proof = recorded.get(Waiting.seconds(60), TimeUnit.SECONDS);
            }
            try (Socket replay =
                    new Socket(server.address().getAddress(), server.address().getPort())) {
                replay.getOutputStream().write(GREETING);
                replay.getInputStream().readNBytes(GREETING.length + HELLO);
                replay.getOutputStream().write(proof);
                assertThat(replay.getInputStream().readAllBytes())
                        .as("refused, and the end")
                        .containsExactly(1);
            }
        }
    }

    /// Stands between a client and the server until the client's proof has come, and breaks off.
    private static void record(ServerSocket between, TcpStoreServer server, CompletableFuture<byte[]> recorded) {
        try (Socket client = between.accept();
                Socket behind = new Socket(
                        server.address().getAddress(), server.address().getPort())) {
            behind.getOutputStream().write(client.getInputStream().readNBytes(GREETING.length));
            client.getOutputStream().write(behind.getInputStream().readNBytes(GREETING.length + HELLO));
            recorded.complete(client.getInputStream().readNBytes(HELLO + 32));
        } catch (IOException e) {
            recorded.completeExceptionally(e);
        }
    }

    @Test
    void theServerMayComeLater() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        CompletableFuture<Store> early = CompletableFuture.supplyAsync(
                () -> TcpStore.connect(address, CONFIG, LONG), Thread::startVirtualThread);
        try (TcpStoreServer _ = TcpStoreServer.start(address, CONFIG);
                Store store = early.join()) {
            store.set("key", bytes("value"));
        }
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> TcpStore.connect(address, CONFIG, Duration.ofMillis(30)))
                .satisfies(e -> assertThat(e.code()).isEqualTo(StoreError.LIMIT_EXCEEDED))
                .withMessageContaining(String.valueOf(port))
                .withMessageContaining("30 ms");
    }

    /// Random bytes, before and after the handshake; those who behave notice nothing.
    @RepeatedTest(20)
    void garbageIsCutOffAndDisturbsNobody(RepetitionInfo repetition) throws IOException {
        long seed = 500L + repetition.getCurrentRepetition();
        System.out.println("TcpStoreTest seed " + seed);
        Random random = new Random(seed);
        try (TcpStoreServer server = TcpStoreServer.start(CONFIG.withHandshakeLimit(Duration.ofMillis(100)));
                Store member = connect(server, CONFIG);
                Socket peer = new Socket(
                        server.address().getAddress(), server.address().getPort())) {
            byte[] garbage = new byte[random.nextInt(300)];
            random.nextBytes(garbage);
            peer.getOutputStream().write(garbage);

            assertEnds(peer);
            member.set("key", bytes("fine"));
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @RepeatedTest(30)
    void garbledMessagesAreCutOffAndDisturbNobody(RepetitionInfo repetition) throws IOException {
        long seed = 900L + repetition.getCurrentRepetition();
        System.out.println("TcpStoreTest seed " + seed);
        Random random = new Random(seed);
        try (TcpStoreServer server = TcpStoreServer.start(HASTY);
                Store member = connect(server, HASTY);
                Intruder intruder = Intruder.enter(server, HASTY)) {
            member.set("key", bytes("fine"));
            byte[] frame = new Frame(
                            7,
                            MessageType.SET,
                            new BodyWriter().text("k").bytes(bytes("v")).toBytes())
                    .toBytes();
            switch (random.nextInt(5)) {
                case 0 -> ByteBuffer.wrap(frame).putInt(0, StoreLimits.MAX_FRAME_BYTES * 2);
                case 1 -> ByteBuffer.wrap(frame).putInt(0, -random.nextInt(1000));
                case 2 -> ByteBuffer.wrap(frame).putInt(0, frame.length - 4 + 1 + random.nextInt(1000));
                case 3 -> frame[12] = (byte) (32 + random.nextInt(90));
                default -> ByteBuffer.wrap(frame).putInt(13 + random.nextInt(2) * 5, random.nextInt(2000) + 100);
            }
            intruder.send(frame);

            assertEnds(intruder.socket());
            assertThat(member.find("key")).hasValue(bytes("fine"));
            assertThat(member.keys(""))
                    .as("nothing of the garbled message came in")
                    .containsExactly("key");
        }
    }

    @Test
    void whoSaysNothingIsCutOff() throws IOException {
        try (TcpStoreServer server = TcpStoreServer.start(HASTY);
                Socket silent = new Socket(
                        server.address().getAddress(), server.address().getPort());
                Intruder idle = Intruder.enter(server, HASTY)) {
            assertEnds(silent);
            assertEnds(idle.socket());
            assertThat(server.connections()).isZero();
        }
    }

    /// A client that would be patient enough still gives signs as often as its server wants them.
    @Test
    void aPatientClientOfAnImpatientServerIsNotCutOff() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.start(CONFIG.withSilence(Duration.ofMillis(300)));
                Store patient = connect(server, CONFIG.withSilence(Duration.ofHours(1)));
                Intruder idle = Intruder.enter(server, CONFIG)) {
            patient.set("patient", bytes("still here"));
            assertEnds(idle.socket());
            try (Intruder another = Intruder.enter(server, CONFIG)) {
                assertEnds(another.socket());
            }
            assertThat(patient.find("patient")).isPresent();
        }
    }

    @Test
    void whoDoesNotReadIsCutOff() throws IOException {
        try (TcpStoreServer server = TcpStoreServer.start(CONFIG);
                Store member = connect(server, CONFIG);
                Intruder deaf = Intruder.enter(server, CONFIG)) {
            deaf.send(new Frame(
                            1,
                            MessageType.SET_ON_LOSS,
                            new BodyWriter().text("lost/deaf").bytes(bytes("")).toBytes())
                    .toBytes());
            deaf.send(
                    new Frame(2, MessageType.WATCH, new BodyWriter().text("w/").toBytes()).toBytes());
            CompletableFuture<byte[]> noticed =
                    CompletableFuture.supplyAsync(() -> member.await("lost/deaf", LONG), Thread::startVirtualThread);
            byte[] large = new byte[StoreLimits.MAX_VALUE_BYTES];
            while (!noticed.isDone()) {
                member.set("w/large", large);
            }
            assertThat(noticed.join()).isEmpty();
        }
    }

    @Test
    void unprovenConnectionsDoNotKeepMembersOut() throws IOException {
        List<Socket> clients = new ArrayList<>();
        try (TcpStoreServer server = TcpStoreServer.start(CONFIG)) {
            for (int i = 0; i < MANY_PENDING; i++) {
                clients.add(new Socket(
                        server.address().getAddress(), server.address().getPort()));
            }
            try (Store member = connect(server, CONFIG)) {
                member.set("key", bytes("in"));
                assertEnds(clients.getFirst());
            }
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    /// As many as ranks of a cluster, and one that throws connections at the same port meanwhile.
    @Test
    void membersConnectWhileUnprovenConnectionsFloodTheServer() throws Exception {
        int members = 512;
        try (TcpStoreServer server = TcpStoreServer.start(CONFIG)) {
            AtomicBoolean goesOn = new AtomicBoolean(true);
            Thread flood = Thread.ofPlatform().start(() -> flood(server, goesOn));
            List<CompletableFuture<Store>> joining = new ArrayList<>();
            for (int i = 0; i < members; i++) {
                joining.add(CompletableFuture.supplyAsync(() -> connect(server, CONFIG), Thread::startVirtualThread));
            }
            List<Store> joined = new ArrayList<>();
            for (CompletableFuture<Store> one : joining) {
                joined.add(one.get(LONG.toSeconds(), TimeUnit.SECONDS));
            }
            goesOn.set(false);
            flood.join();
            // A member is welcome a moment before it is counted.
            long end = System.nanoTime() + LONG.toNanos();
            while (server.connections() < members && System.nanoTime() < end) {
                Thread.sleep(5);
            }
            assertThat(server.connections()).isEqualTo(members);
            joined.forEach(Store::close);
        }
    }

    /// Garbage, and silence that is held, a thousand in a second if the machine can.
    private static void flood(TcpStoreServer server, AtomicBoolean goesOn) {
        List<Socket> held = new ArrayList<>();
        Random random = new Random(1);
        try {
            while (goesOn.get()) {
                Socket client = new Socket(
                        server.address().getAddress(), server.address().getPort());
                byte[] garbage = new byte[random.nextInt(100)];
                random.nextBytes(garbage);
                client.getOutputStream().write(garbage);
                held.add(client);
                if (held.size() > 300) {
                    held.removeFirst().close();
                }
                Thread.sleep(1);
            }
            for (Socket client : held) {
                client.close();
            }
        } catch (IOException e) {
            // A server may hang up before it has heard all.
            flood(server, goesOn);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aFullServerSaysSo() {
        try (TcpStoreServer server = TcpStoreServer.start(CONFIG.withMaxConnections(1))) {
            Store first = connect(server, CONFIG);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> TcpStore.connect(server.address(), CONFIG, SHORT))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(StoreError.LIMIT_EXCEEDED))
                    .withMessageContaining("no room");
            first.close();
            connect(server, CONFIG).close();
        }
    }

    @Test
    void whenTheServerIsLostEveryoneWhoWaitsIsTold() throws InterruptedException {
        BlockingQueue<StoreError> ends = new LinkedBlockingQueue<>();
        TcpStoreServer server = TcpStoreServer.start(CONFIG);
        List<Store> members = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Store member = connect(server, CONFIG);
            members.add(member);
            member.watch("", new Listener() {
                @Override
                public void onSet(String key, byte[] value) {}

                @Override
                public void onEnd(StoreException reason) {
                    ends.add(reason.code());
                }
            });
            Thread.startVirtualThread(() -> {
                try {
                    member.await("never", LONG);
                } catch (StoreException e) {
                    ends.add(e.code());
                }
            });
        }
        server.close();
        for (int i = 0; i < 10; i++) {
            assertThat(ends.poll(Waiting.seconds(60), TimeUnit.SECONDS)).isEqualTo(StoreError.LOST);
        }
        members.forEach(member -> assertFault(StoreError.LOST, () -> member.set("key", bytes(""))));
        members.forEach(Store::close);
    }

    @Test
    void theSecretDoesNotShowItself() {
        assertThat(CONFIG.toString()).doesNotContain("a secret of these tests");
        assertThat(Secret.randomText()).hasSize(64).isNotEqualTo(Secret.randomText());
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> Secret.of("short"));
    }

    @Test
    void answersThatDoNotFitAreRefused() {
        try (TcpStoreServer server = TcpStoreServer.start(CONFIG);
                Store member = connect(server, CONFIG)) {
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                keys.add("large/" + i);
                member.set("large/" + i, new byte[StoreLimits.MAX_VALUE_BYTES]);
            }
            assertFault(StoreError.TOO_LARGE, () -> member.awaitAll(keys, LONG));
            assertThat(member.awaitAll(keys.subList(0, 3), LONG)).hasSize(3);
        }
    }

    @Test
    @Needs(Need.LINUX)
    void nothingIsLeftOpen() {
        try (TcpStoreServer server = TcpStoreServer.start(CONFIG)) {
            connect(server, CONFIG).close();
        }
        Resources before = Resources.now(folder);
        for (int i = 0; i < 200; i++) {
            try (TcpStoreServer server = TcpStoreServer.start(CONFIG);
                    Store one = connect(server, CONFIG);
                    Store two = connect(server, CONFIG)) {
                one.watch("", (_, _) -> {});
                Thread.startVirtualThread(() -> {
                    try {
                        two.await("never", LONG);
                    } catch (StoreException _) {
                        // That is how it ends.
                    }
                });
                one.set("round", bytes(Integer.toString(i)));
                if (i == 0) {
                    assertThat(Resources.now(folder).threads())
                            .as("what would be counted")
                            .contains("muster-store-accept", "muster-store-read", "muster-store-watch");
                }
            }
        }
        before.assertSameNow(folder);
    }

    private static TcpStore connect(TcpStoreServer server, TcpStoreConfig config) {
        return TcpStore.connect(server.address(), config, LONG);
    }

    /// The other side cuts the connection, also after a last message.
    private static void assertEnds(Socket socket) throws IOException {
        socket.setSoTimeout(60_000);
        try {
            while (socket.getInputStream().read() >= 0) {
                // It may have said something before.
            }
        } catch (SocketException _) {
            // A reset is an end, too.
        }
    }

    /// A client that knows the secret and then breaks the protocol.
    private record Intruder(Socket socket, FrameChannel wire, FrameTags tags) implements AutoCloseable {
        static Intruder enter(TcpStoreServer server, TcpStoreConfig config) throws IOException {
            Socket socket =
                    new Socket(server.address().getAddress(), server.address().getPort());
            FrameChannel wire = new FrameChannel(socket, Waiting.limit(Duration.ofSeconds(60)), _ -> {});
            wire.open(config.end(), true, LONG);
            return new Intruder(
                    socket, wire, new Handshake(wire, config).join().tags().sent());
        }

        void send(byte[] bytes) throws IOException {
            tags.append(bytes, bytes.length - FrameTags.BYTES);
            wire.writeNow(bytes);
        }

        @Override
        public void close() {
            wire.close();
        }
    }
}
