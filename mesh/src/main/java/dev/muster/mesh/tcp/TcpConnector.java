package dev.muster.mesh.tcp;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.EngineProvider.EngineContext;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.Code;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.secure.PeerRefusedException;
import dev.muster.mesh.secure.SecureSocket;
import dev.muster.mesh.secure.Strangers;
import dev.muster.mesh.secure.TlsPolicy;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Connects the members of a group with each other: each listens, tells the store where, connects to those
/// before it and is connected to by those after it.
final class TcpConnector {
    /// How long a stranger may keep a connection before it has proven who it is.
    private static final Duration HANDSHAKE_LIMIT = Duration.ofSeconds(10);

    /// Places for those who have not proven themselves, at least.
    private static final int STRANGERS = 1_024;
    /// All members that are awaited may have the same address, and an address gets a quarter of the places.
    private static final int PLACES_PER_MEMBER = 4;

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final long PAUSE_NANOS = 20_000_000;

    private final GroupIdentity group;
    private final Store store;
    private final PeerHandshake handshake;
    private final InetAddress address;
    private final Duration limit;
    private final long deadline;
    private final @Nullable ProvenPeer[] peers;
    private final BlockingQueue<ProvenPeer> accepted;
    private final Strangers<SocketChannel> strangers;
    /// Why a stranger was turned away last; who waits in vain is told.
    private volatile String lastRefusal = "";
    private volatile boolean ended;

    private TcpConnector(GroupIdentity group, EngineContext context) {
        this.group = group;
        this.store = context.store();
        this.handshake = new PeerHandshake(group, context.secret(), policy(group, context));
        this.address = context.address();
        this.limit = context.limit();
        this.deadline = System.nanoTime() + limit.toNanos();
        this.peers = new ProvenPeer[group.size()];
        this.accepted = new ArrayBlockingQueue<>(group.size());
        this.strangers = new Strangers<>(Math.max(STRANGERS, PLACES_PER_MEMBER * group.size()), TcpConnector::close);
    }

    private static TlsPolicy policy(GroupIdentity group, EngineContext context) {
        try {
            return TlsPolicy.of(context.findSetting(TlsPolicy.VARIABLE));
        } catch (IllegalArgumentException e) {
            throw new GroupException(Code.UNAVAILABLE, "group " + group.name() + ": " + e.getMessage(), e);
        }
    }

    /// The engine of a member, when all members are connected.
    ///
    /// @throws GroupException if a member is missing when the limit has passed
    static Engine connect(GroupIdentity group, EngineContext context) {
        Connection[] connections = new TcpConnector(group, context).connections();
        return new TcpEngine(group, new SocketMover(group, connections, context.processors()), context.inRankOrder());
    }

    private Connection[] connections() {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(address, 0), group.size());
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            store.set(key(group.rank()), (address.getHostAddress() + " " + port).getBytes(StandardCharsets.UTF_8));
            Thread.ofVirtual().name("muster-accept-" + group.name()).start(() -> acceptAll(listener));
            connectToEarlier();
            awaitLater();
            return asConnections();
        } catch (IOException e) {
            closeAll();
            throw new GroupException(
                    Code.UNAVAILABLE,
                    "group " + group.name() + ": cannot listen at " + address.getHostAddress() + ": " + e.getMessage(),
                    e);
        } catch (RuntimeException e) {
            closeAll();
            throw e;
        } finally {
            ended = true;
            strangers.close().forEach(TcpConnector::close);
            turnAway();
        }
    }

    /// Closes connections that nobody needs any more.
    private void turnAway() {
        for (ProvenPeer late = accepted.poll(); late != null; late = accepted.poll()) {
            close(late.channel());
        }
    }

    private String key(int rank) {
        return "group/" + group.key() + "/tcp/" + rank;
    }

    /// Takes connections until the listener is closed. Each proves itself on a thread of its own, so that a stranger
    /// that says nothing keeps nobody waiting.
    private void acceptAll(ServerSocketChannel listener) {
        while (listener.isOpen()) {
            try {
                welcome(listener.accept());
            } catch (IOException e) {
                // Closed, since all have come or the limit has passed; or no descriptor is left for now: then others
                // are not to blame, and it helps to wait until one is free.
                LockSupport.parkNanos(PAUSE_NANOS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void welcome(SocketChannel channel) throws IOException, InterruptedException {
        if (strangers.enter(channel, channel.socket().getInetAddress())) {
            Thread.ofVirtual().start(() -> acceptOne(channel));
        } else {
            try (channel) {
                SecureSocket.sendAway(channel.socket());
            }
        }
    }

    private void acceptOne(SocketChannel channel) {
        try {
            ProvenPeer peer = handshake.accept(channel, System.nanoTime() + HANDSHAKE_LIMIT.toNanos());
            if (!strangers.leave(channel) || !accepted.offer(peer)) {
                channel.close();
            }
            if (ended) {
                turnAway();
            }
        } catch (PeerRefusedException e) {
            lastRefusal = "; one that came from "
                    + channel.socket().getInetAddress().getHostAddress() + " was turned away: " + e.getMessage();
            drop(channel);
        } catch (IOException e) {
            drop(channel);
        }
    }

    private void drop(SocketChannel channel) {
        strangers.leave(channel);
        close(channel);
    }

    private void connectToEarlier() {
        for (int rank = 0; rank < group.rank(); rank++) {
            peers[rank] = connect(rank, whereIs(rank));
        }
    }

    private InetSocketAddress whereIs(int rank) {
        try {
            String[] parts = new String(store.await(key(rank), left()), StandardCharsets.UTF_8).split(" ", 2);
            return new InetSocketAddress(InetAddress.ofLiteral(parts[0]), Integer.parseInt(parts[1]));
        } catch (StoreException e) {
            throw missing(List.of(group.worldRank(rank)), e);
        } catch (RuntimeException e) {
            throw new GroupException(
                    Code.PROTOCOL,
                    "group " + group.name() + ": what the store says about rank " + group.worldRank(rank)
                            + " is no address",
                    e);
        }
    }

    private ProvenPeer connect(int rank, InetSocketAddress where) {
        while (true) {
            try {
                return tryToConnect(rank, where);
            } catch (IOException e) {
                if (!SecureSocket.isCrowded(e) || left().compareTo(SHORTEST) <= 0) {
                    throw unreachable(rank, where, e);
                }
                // Strangers from the same address have taken the places; they lose them by and by.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private ProvenPeer tryToConnect(int rank, InetSocketAddress where) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.socket().connect(where, Math.clamp(left().toMillis(), 1, Integer.MAX_VALUE));
            return handshake.connect(rank, channel, System.nanoTime() + left().toNanos());
        } catch (PeerRefusedException e) {
            close(channel);
            throw new GroupException(
                    Code.REFUSED,
                    "group " + group.name() + ": rank " + group.worldRank(rank) + " at " + text(where) + ": "
                            + e.getMessage(),
                    e);
        } catch (IOException | RuntimeException e) {
            close(channel);
            throw e;
        }
    }

    private GroupException unreachable(int rank, InetSocketAddress where, IOException e) {
        return new GroupException(
                Code.PEER_LOST,
                "group " + group.name() + ": rank " + group.worldRank(rank) + " at " + text(where)
                        + " cannot be reached: " + e.getMessage(),
                List.of(group.worldRank(rank)));
    }

    private static String text(InetSocketAddress where) {
        return where.getAddress().getHostAddress() + ":" + where.getPort();
    }

    private void awaitLater() {
        int awaited = group.size() - 1 - group.rank();
        try {
            while (awaited > 0) {
                ProvenPeer next = accepted.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                if (next == null) {
                    throw missing(absent(), null);
                }
                if (peers[next.rank()] == null) {
                    peers[next.rank()] = next;
                    awaited--;
                } else {
                    close(next.channel());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GroupException(Code.ABORTED, "group " + group.name() + ": connecting was interrupted", e);
        }
    }

    private List<Integer> absent() {
        List<Integer> absent = new ArrayList<>();
        for (int rank = group.rank() + 1; rank < group.size(); rank++) {
            if (peers[rank] == null) {
                absent.add(group.worldRank(rank));
            }
        }
        return absent;
    }

    private GroupException missing(List<Integer> ranks, @Nullable StoreException cause) {
        GroupException missing =
                GroupException.overdue("group " + group.name() + ": connecting" + lastRefusal, limit, ranks);
        if (cause != null) {
            missing.initCause(cause);
        }
        return missing;
    }

    private Connection[] asConnections() throws IOException {
        Connection[] connections = new Connection[group.size()];
        BufferViews views = new BufferViews();
        for (int rank = 0; rank < connections.length; rank++) {
            ProvenPeer peer = peers[rank];
            if (peer != null) {
                peer.unblock();
                connections[rank] = new Connection(peer, group, views);
            }
        }
        return connections;
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(SHORTEST.toNanos(), deadline - System.nanoTime()));
    }

    private void closeAll() {
        for (ProvenPeer peer : peers) {
            if (peer != null) {
                close(peer.channel());
            }
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
