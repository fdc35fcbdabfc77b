// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.tcp;

import dev.muster.mesh.collective.EngineProvider.EngineContext;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.secure.PeerRefusedException;
import dev.muster.mesh.secure.SecureSocket;
import dev.muster.mesh.secure.TlsPolicy;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The connections of a member to the others of its group. Each member listens and tells the store where; of two, the
/// later one connects.
///
/// A group of few members is connected when it is opened. In a larger one, whose connections would grow with the square
/// of its members, those are connected whose distance is a power of two, with whom collectives talk; others when a
/// message goes between them for the first time. Confined to one thread, except for [#close()].
final class PeerConnections implements AutoCloseable {
    /// Up to so many members all are connected at once; more than talk to each other directly.
    static final int CONNECTED_AT_ONCE = 8;

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final long PAUSE_NANOS = 20_000_000;
    private static final long LOOK_NANOS = 500_000_000;
    private static final int LOOK_MILLIS = 100;

    private final GroupIdentity group;
    private final PeerHandshake handshake;
    private final PeerListener door;
    private final Duration limit;
    private final AtomicReferenceArray<@Nullable Connection> connections;
    private final BufferViews views = new BufferViews();
    private final long[] nextLooks;
    private List<InetSocketAddress> addresses = List.of();
    private volatile @Nullable SocketChannel dialed;
    private volatile boolean closed;

    private PeerConnections(GroupIdentity group, PeerHandshake handshake, PeerListener door, Duration limit) {
        this.group = group;
        this.handshake = handshake;
        this.door = door;
        this.limit = limit;
        this.connections = new AtomicReferenceArray<>(group.size());
        this.nextLooks = new long[group.size()];
    }

    /// Opens them together with the other members.
    ///
    /// @throws GroupException if a member is missing when the limit has passed
    static PeerConnections open(GroupIdentity group, EngineContext context) {
        InetAddress address = context.address();
        PeerHandshake handshake = new PeerHandshake(group, context.secret(), policy(group, context));
        try {
            PeerListener door = PeerListener.open(address, group.name(), group.size(), handshake);
            PeerConnections opened = new PeerConnections(group, handshake, door, context.limit());
            try {
                opened.meet(context, address);
                return opened;
            } catch (IOException | RuntimeException e) {
                opened.close();
                throw e;
            }
        } catch (IOException e) {
            throw new GroupException(
                    GroupError.UNAVAILABLE,
                    "group " + group.name() + ": cannot listen at " + address.getHostAddress() + ": " + e.getMessage(),
                    e);
        }
    }

    private static TlsPolicy policy(GroupIdentity group, EngineContext context) {
        try {
            return TlsPolicy.of(context.findSetting(TlsPolicy.VARIABLE));
        } catch (IllegalArgumentException e) {
            throw new GroupException(GroupError.UNAVAILABLE, "group " + group.name() + ": " + e.getMessage(), e);
        }
    }

    private void meet(EngineContext context, InetAddress address) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        byte[] own = (address.getHostAddress() + " " + door.port()).getBytes(StandardCharsets.UTF_8);
        List<byte[]> told = context.exchange(group, "tcp", own);
        addresses = IntStream.range(0, told.size())
                .mapToObj(rank -> address(rank, told.get(rank)))
                .toList();
        for (int peer = 0; peer < group.rank(); peer++) {
            if (isNear(peer)) {
                keep(dial(peer, deadline));
            }
        }
        for (int peer = group.rank() + 1; peer < group.size(); peer++) {
            if (isNear(peer)) {
                await(peer, deadline);
            }
        }
        if (group.size() <= CONNECTED_AT_ONCE) {
            door.close();
        }
    }

    /// Reports whether a member is connected when the group is opened.
    private boolean isNear(int peer) {
        int distance = Math.abs(peer - group.rank());
        return group.size() <= CONNECTED_AT_ONCE
                || Integer.bitCount(distance) == 1
                || Integer.bitCount(group.size() - distance) == 1;
    }

    private InetSocketAddress address(int rank, byte[] told) {
        try {
            String[] parts = new String(told, StandardCharsets.UTF_8).split(" ", 2);
            return new InetSocketAddress(InetAddress.ofLiteral(parts[0]), Integer.parseInt(parts[1]));
        } catch (RuntimeException e) {
            throw new GroupException(
                    GroupError.PROTOCOL,
                    "group " + group.name() + ": the store's entry of rank " + group.worldRank(rank)
                            + " is not an address",
                    e);
        }
    }

    private void await(int peer, long deadline) throws IOException {
        try {
            if (!door.await(peer, deadline)) {
                throw missing(List.of(group.worldRank(peer)));
            }
            find(peer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GroupException(GroupError.ABORTED, "group " + group.name() + ": connecting was interrupted", e);
        }
    }

    /// The connection to a member, which is made now if need be and possible; null while the other has not come, whose
    /// turn it is.
    @Nullable
    Connection find(int peer) throws IOException {
        Connection there = connections.get(peer);
        if (there != null) {
            return there;
        }
        AuthenticatedPeer proven =
                peer < group.rank() ? dial(peer, System.nanoTime() + limit.toNanos()) : door.take(peer);
        if (proven == null) {
            requireHere(peer);
            return null;
        }
        return keep(proven);
    }

    /// Looks now and then whether one that has yet to come still listens: nothing else tells that it has left.
    private void requireHere(int peer) {
        long now = System.nanoTime();
        if (nextLooks[peer] == 0) {
            nextLooks[peer] = now + LOOK_NANOS;
        }
        if (now - nextLooks[peer] < 0) {
            return;
        }
        nextLooks[peer] = now + LOOK_NANOS;
        try (Socket look = new Socket()) {
            look.connect(addresses.get(peer), LOOK_MILLIS);
        } catch (ConnectException e) {
            throw unreachable(peer, addresses.get(peer), e);
        } catch (IOException e) {
            // It may be slow, or its host be gone, which others notice.
        }
    }

    /// The connection to a member that a message has gone to or come from.
    Connection require(int peer) {
        return Objects.requireNonNull(connections.get(peer));
    }

    private Connection keep(AuthenticatedPeer peer) throws IOException {
        peer.unblock();
        Connection connection = new Connection(peer, group, views);
        connections.set(peer.rank(), connection);
        if (closed) {
            connection.close();
        }
        return connection;
    }

    private AuthenticatedPeer dial(int rank, long deadline) throws IOException {
        InetSocketAddress where = addresses.get(rank);
        while (true) {
            try {
                return tryToDial(rank, where, deadline);
            } catch (IOException e) {
                if (closed) {
                    throw e;
                }
                if (!SecureSocket.isCrowded(e) || left(deadline).compareTo(SHORTEST) <= 0) {
                    throw unreachable(rank, where, e);
                }
                // PendingConnections from the same address have taken the places; they lose them by and by.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private AuthenticatedPeer tryToDial(int rank, InetSocketAddress where, long deadline) throws IOException {
        SocketChannel channel = SocketChannel.open();
        dialed = channel;
        try {
            if (closed) {
                throw new IOException("the group is closed");
            }
            channel.socket().connect(where, Math.clamp(left(deadline).toMillis(), 1, Integer.MAX_VALUE));
            return handshake.connect(rank, channel, deadline);
        } catch (PeerRefusedException e) {
            PeerListener.end(channel);
            throw new GroupException(
                    GroupError.REFUSED,
                    "group " + group.name() + ": rank " + group.worldRank(rank) + " at " + text(where) + ": "
                            + e.getMessage(),
                    e);
        } catch (IOException | RuntimeException e) {
            PeerListener.end(channel);
            throw e;
        } finally {
            dialed = null;
        }
    }

    private GroupException unreachable(int rank, InetSocketAddress where, IOException e) {
        return new GroupException(
                GroupError.PEER_LOST,
                "group " + group.name() + ": rank " + group.worldRank(rank) + " at " + text(where)
                        + " cannot be reached: " + e.getMessage(),
                List.of(group.worldRank(rank)));
    }

    private static String text(InetSocketAddress where) {
        return where.getAddress().getHostAddress() + ":" + where.getPort();
    }

    private GroupException missing(List<Integer> ranks) {
        return GroupException.overdue("group " + group.name() + ": connecting" + door.lastRefusal(), limit, ranks);
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(SHORTEST.toNanos(), deadline - System.nanoTime()));
    }

    /// Closes all connections: others see that this member is gone.
    @Override
    public void close() {
        closed = true;
        door.close();
        SocketChannel dialing = dialed;
        if (dialing != null) {
            PeerListener.end(dialing);
        }
        for (int peer = 0; peer < connections.length(); peer++) {
            Connection connection = connections.get(peer);
            if (connection != null) {
                connection.close();
            }
        }
    }
}
