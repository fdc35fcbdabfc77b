// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;

/// Closes connections of clients that send or read too slowly. Silence is ended by the idle timeout; a byte a second
/// is not silence, and would hold a connection for ever. No address gets more than a share of the connections without
/// an
/// answer so far: the oldest of them goes for a new one. Told by the server of connections; examined once a second.
/// Safe to share between threads.
final class ConnectionWatch implements Connection.Listener {
    /// From the first byte of a request to the end of its headers.
    static final Duration HEADERS = Duration.ofSeconds(10);
    /// From the end of the headers to the end of the answer, unless it is a stream of events.
    static final Duration ANSWER = Duration.ofSeconds(90);

    /// Connections of one address that got no answer yet: a quarter of all that the server has.
    static final int MOST_WAITING = MusterServer.MOST_CONNECTIONS / 4;

    private final Map<InetAddress, LinkedHashSet<Connection>> waiting = new ConcurrentHashMap<>();
    private final Map<Connection, State> states = new ConcurrentHashMap<>();
    private final Set<Connection> streaming = ConcurrentHashMap.newKeySet();

    @Override
    public void onOpened(Connection connection) {
        if (!(connection instanceof SslConnection)) {
            states.put(connection, new State());
            List<Connection> superseded = new ArrayList<>(1);
            address(connection)
                    .ifPresent(address -> waiting.compute(address, (_, all) -> {
                        LinkedHashSet<Connection> own = all == null ? new LinkedHashSet<>() : all;
                        own.add(connection);
                        if (own.size() > MOST_WAITING) {
                            superseded.add(own.removeFirst());
                        }
                        return own;
                    }));
            for (Connection oldest : superseded) {
                if (oldest.getMessagesOut() == 0) {
                    oldest.getEndPoint().close();
                }
            }
        }
    }

    /// The client's address; none on a Unix socket.
    private static Optional<InetAddress> address(Connection connection) {
        return connection.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress socket
                ? Optional.ofNullable(socket.getAddress())
                : Optional.empty();
    }

    @Override
    public void onClosed(Connection connection) {
        states.remove(connection);
        address(connection)
                .ifPresent(address -> waiting.computeIfPresent(address, (_, own) -> {
                    own.remove(connection);
                    return own.isEmpty() ? null : own;
                }));
        streaming.remove(connection);
    }

    /// Exempts a connection that sends events until it ends.
    void stream(Connection connection) {
        streaming.add(connection);
    }

    /// Ends the exemption; the connection may be used again.
    void streamEnded(Connection connection) {
        streaming.remove(connection);
    }

    int size() {
        return states.size();
    }

    /// Examines every connection, and closes those that took too long.
    ///
    /// @param now time in nanoseconds, of a monotonic clock
    void examine(long now) {
        states.forEach((connection, state) -> {
            if (!streaming.contains(connection) && state.isLate(connection, now)) {
                connection.getEndPoint().close();
            }
        });
    }

    /// The progress of a connection, and its time.
    private static final class State {
        private long requests = -1;
        private boolean busy;
        private long bytes;
        private long since;

        synchronized boolean isLate(Connection connection, long now) {
            long begun = connection.getMessagesIn();
            boolean isBusy = begun > connection.getMessagesOut();
            long read = connection.getBytesIn();
            if (begun != requests || isBusy != busy) {
                boolean isNew = requests < 0;
                requests = begun;
                busy = isBusy;
                // A connection may send its first bytes before it is looked at first.
                bytes = isNew ? 0 : read;
                since = now;
                return false;
            }
            if (isBusy) {
                return now - since > ANSWER.toNanos();
            }
            if (read == bytes && begun > 0) {
                since = now; // rests between two requests: the idle timeout's
                return false;
            }
            return now - since > HEADERS.toNanos();
        }
    }
}
