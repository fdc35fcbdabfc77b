// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.tcp;

import dev.muster.mesh.secure.PeerRefusedException;
import dev.muster.mesh.secure.PendingConnections;
import dev.muster.mesh.secure.SecureSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The listener at which other members of a group connect to a member. They prove who they are and are then taken by
/// their rank. Safe for use by several threads.
final class PeerListener implements AutoCloseable {
    /// The time in which a new connection must prove who it is.
    private static final Duration HANDSHAKE_LIMIT = Duration.ofSeconds(10);

    /// Places for those who have not proven themselves, at least.
    private static final int MAX_PENDING = 1_024;
    /// All members that are awaited may have the same address, and an address gets a quarter of the places.
    private static final int PLACES_PER_MEMBER = 4;

    private static final long PAUSE_NANOS = 20_000_000;

    private final PeerHandshake handshake;
    private final ServerSocketChannel listener;
    private final PendingConnections<SocketChannel> pending;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition came = lock.newCondition();
    private final @Nullable AuthenticatedPeer[] arrived;
    private final boolean[] known;
    private boolean closed;
    /// The reason for which a connection was refused last; a member that waits in vain is told.
    private volatile String lastRefusal = "";

    private PeerListener(PeerHandshake handshake, ServerSocketChannel listener, int members) {
        this.handshake = handshake;
        this.listener = listener;
        this.arrived = new AuthenticatedPeer[members];
        this.known = new boolean[members];
        this.pending = new PendingConnections<>(Math.max(MAX_PENDING, PLACES_PER_MEMBER * members), PeerListener::end);
    }

    /// Listens at any free port of an address.
    static PeerListener open(InetAddress address, String group, int members, PeerHandshake handshake)
            throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.bind(new InetSocketAddress(address, 0), members);
        } catch (IOException e) {
            listener.close();
            throw e;
        }
        PeerListener door = new PeerListener(handshake, listener, members);
        Thread.ofVirtual().name("muster-accept-" + group).start(door::acceptAll);
        return door;
    }

    int port() throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    /// Takes connections until the listener is closed. Each proves itself on a thread of its own, so that a peer
    /// that says nothing does not delay others.
    private void acceptAll() {
        while (listener.isOpen()) {
            try {
                welcome(listener.accept());
            } catch (IOException e) {
                // Closed; or no descriptor is left for now: then others are not to blame, and it helps to wait until
                // one is free.
                LockSupport.parkNanos(PAUSE_NANOS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void welcome(SocketChannel channel) throws IOException, InterruptedException {
        if (pending.enter(channel, channel.socket().getInetAddress())) {
            Thread.ofVirtual().start(() -> acceptOne(channel));
        } else {
            try (channel) {
                SecureSocket.sendAway(channel.socket());
            }
        }
    }

    private void acceptOne(SocketChannel channel) {
        try {
            AuthenticatedPeer peer = handshake.accept(channel, System.nanoTime() + HANDSHAKE_LIMIT.toNanos());
            if (!pending.leave(channel) || !letIn(peer)) {
                end(channel);
            }
        } catch (PeerRefusedException e) {
            lastRefusal = "; one that came from "
                    + channel.socket().getInetAddress().getHostAddress() + " was refused: " + e.getMessage();
            drop(channel);
        } catch (IOException e) {
            drop(channel);
        }
    }

    private void drop(SocketChannel channel) {
        pending.leave(channel);
        end(channel);
    }

    /// Each member comes once.
    private boolean letIn(AuthenticatedPeer peer) {
        lock.lock();
        try {
            if (closed || known[peer.rank()]) {
                return false;
            }
            known[peer.rank()] = true;
            arrived[peer.rank()] = peer;
            came.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// A member that has come, once; null if it has not.
    @Nullable
    AuthenticatedPeer take(int rank) {
        lock.lock();
        try {
            AuthenticatedPeer peer = arrived[rank];
            arrived[rank] = null;
            return peer;
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a member until a time.
    ///
    /// @return true if it has come
    boolean await(int rank, long deadline) throws InterruptedException {
        lock.lock();
        try {
            long left = deadline - System.nanoTime();
            while (!known[rank] && left > 0) {
                left = came.awaitNanos(left);
            }
            return known[rank];
        } finally {
            lock.unlock();
        }
    }

    /// Returns the addition to the message for a missing member: the reason for which the last connection was refused.
    String lastRefusal() {
        return lastRefusal;
    }

    /// Closes it, and the connections of members that were not taken.
    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        pending.close().forEach(PeerListener::end);
        lock.lock();
        try {
            closed = true;
            for (int rank = 0; rank < arrived.length; rank++) {
                AuthenticatedPeer peer = arrived[rank];
                if (peer != null) {
                    arrived[rank] = null;
                    end(peer.channel());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    static void end(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
