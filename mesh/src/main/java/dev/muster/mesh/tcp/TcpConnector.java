package dev.muster.mesh.tcp;

import dev.muster.mesh.collective.Call;
import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.EngineProvider.EngineContext;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.Code;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.message.MessageCollectives;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import dev.muster.mesh.tcp.PeerHandshake.PeerRefusedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
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
    private static final int HANDSHAKE_MILLIS = 5_000;

    private static final long PAUSE_NANOS = 20_000_000;

    private final GroupIdentity group;
    private final Store store;
    private final PeerHandshake handshake;
    private final InetAddress address;
    private final Duration limit;
    private final long deadline;
    private final SocketChannel[] channels;
    private final BlockingQueue<Accepted> accepted;
    private volatile boolean ended;

    private TcpConnector(GroupIdentity group, EngineContext context) {
        this.group = group;
        this.store = context.store();
        this.handshake = new PeerHandshake(group, context.secret());
        this.address = context.address();
        this.limit = context.limit();
        this.deadline = System.nanoTime() + limit.toNanos();
        this.channels = new SocketChannel[group.size()];
        this.accepted = new ArrayBlockingQueue<>(group.size());
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
            turnAway();
        }
    }

    /// Closes connections that nobody needs any more.
    private void turnAway() {
        for (Accepted late = accepted.poll(); late != null; late = accepted.poll()) {
            close(late.channel());
        }
    }

    private String key(int rank) {
        return "group/" + group.key() + "/tcp/" + rank;
    }

    private record Accepted(int rank, SocketChannel channel) {}

    /// Takes connections until the listener is closed. Each proves itself on a thread of its own, so that a stranger
    /// that says nothing keeps nobody waiting.
    private void acceptAll(ServerSocketChannel listener) {
        while (listener.isOpen()) {
            try {
                SocketChannel channel = listener.accept();
                Thread.ofVirtual().start(() -> acceptOne(channel));
            } catch (IOException e) {
                // Closed, since all have come or the limit has passed; or no descriptor is left for now: then others
                // are not to blame, and it helps to wait until one is free.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void acceptOne(SocketChannel channel) {
        try {
            int rank = handshake.accept(channel, HANDSHAKE_MILLIS);
            if (!accepted.offer(new Accepted(rank, channel))) {
                channel.close();
            }
            if (ended) {
                turnAway();
            }
        } catch (IOException e) {
            close(channel);
        }
    }

    private void connectToEarlier() {
        for (int rank = 0; rank < group.rank(); rank++) {
            channels[rank] = connect(rank, whereIs(rank));
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

    private SocketChannel connect(int rank, InetSocketAddress where) {
        SocketChannel channel = null;
        try {
            channel = SocketChannel.open();
            int millis = Math.clamp(left().toMillis(), 1, Integer.MAX_VALUE);
            channel.socket().connect(where, millis);
            handshake.connect(channel, millis);
            return channel;
        } catch (PeerRefusedException e) {
            close(channel);
            throw new GroupException(
                    Code.REFUSED,
                    "group " + group.name() + ": rank " + group.worldRank(rank) + " at " + text(where) + ": "
                            + e.getMessage(),
                    e);
        } catch (IOException e) {
            close(channel);
            throw new GroupException(
                    Code.PEER_LOST,
                    "group " + group.name() + ": rank " + group.worldRank(rank) + " at " + text(where)
                            + " cannot be reached: " + e.getMessage(),
                    List.of(group.worldRank(rank)));
        }
    }

    private static String text(InetSocketAddress where) {
        return where.getAddress().getHostAddress() + ":" + where.getPort();
    }

    private void awaitLater() {
        int awaited = group.size() - 1 - group.rank();
        try {
            while (awaited > 0) {
                Accepted next = accepted.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                if (next == null) {
                    throw missing(absent(), null);
                }
                if (channels[next.rank()] == null) {
                    channels[next.rank()] = next.channel();
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
            if (channels[rank] == null) {
                absent.add(group.worldRank(rank));
            }
        }
        return absent;
    }

    private GroupException missing(List<Integer> ranks, @Nullable StoreException cause) {
        GroupException missing = GroupException.overdue("group " + group.name() + ": connecting", limit, ranks);
        if (cause != null) {
            missing.initCause(cause);
        }
        return missing;
    }

    private Connection[] asConnections() throws IOException {
        Connection[] connections = new Connection[group.size()];
        BufferViews views = new BufferViews();
        for (int rank = 0; rank < connections.length; rank++) {
            if (rank != group.rank()) {
                SocketChannel channel = channels[rank];
                channel.socket().setSoTimeout(0);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
                channel.configureBlocking(false);
                connections[rank] = new Connection(channel, group, rank, views);
            }
        }
        return connections;
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
    }

    private void closeAll() {
        for (SocketChannel channel : channels) {
            close(channel);
        }
    }

    private static void close(@Nullable SocketChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /// Collectives over connections between all members.
    private static final class TcpEngine implements Engine {
        private final SocketMover mover;
        private final MessageCollectives collectives;

        /// @param inRankOrder whether reductions always take ranks in ascending order, whatever it costs
        TcpEngine(GroupIdentity group, SocketMover mover, boolean inRankOrder) {
            this.mover = mover;
            this.collectives = new MessageCollectives(group, mover, inRankOrder);
        }

        @Override
        public String name() {
            return "tcp";
        }

        @Override
        public void execute(Call call) {
            collectives.execute(call);
        }

        @Override
        public void abort(GroupException reason) {
            mover.stop(reason);
        }

        @Override
        public void close() {
            mover.close();
            collectives.close();
        }
    }
}
