// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.secure.PendingConnections;
import dev.muster.mesh.secure.SecureSocket;
import dev.muster.mesh.secure.TlsPolicy;
import dev.muster.mesh.store.StoreException.StoreError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Serves a store over TCP to all who know the secret. Safe for use by many threads. The caller that started it closes
/// it; every client then fails with [StoreError#LOST].
///
/// Every message has a tag that only members can make. Beyond loopback connections are encrypted by TLS 1.3 with keys
/// that follow from the secret, unless the configuration says otherwise.
///
/// @since 0.1
public final class TcpStoreServer implements AutoCloseable {
    /// The suffix of keys that name a file which a member is about to make.
    public static final String ANNOUNCED_FILE = "/announced-file";

    private static final System.Logger LOG = System.getLogger(TcpStoreServer.class.getName());
    private static final int MAX_PENDING = 1_024;
    private static final int BACKLOG = 4_096;
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 50;

    private final TcpStoreConfig config;
    private final ServerSocket socket;
    private final StoreTable table = new StoreTable((_, _) -> {}, System::nanoTime);
    private final SecureSocket.End end;
    private final PendingConnections<ServerConnection> pending =
            new PendingConnections<>(MAX_PENDING, TcpStoreServer::turnOut);
    private final Set<ServerConnection> members = new LinkedHashSet<>();
    /// Connections with threads that have not ended yet.
    private final Set<ServerConnection> running = ConcurrentHashMap.newKeySet();

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread acceptor;

    private TcpStoreServer(ServerSocket socket, TcpStoreConfig config) {
        this.socket = socket;
        this.config = config;
        this.end = config.end();
        this.acceptor = Thread.ofVirtual().name("muster-store-accept").unstarted(this::accept);
    }

    /// Serves on a free port of the loopback interface: to processes of this host alone.
    ///
    /// @throws StoreException `refused` if no port is free
    public static TcpStoreServer start(TcpStoreConfig config) {
        return start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), config);
    }

    /// Serves on an address of this host; port 0 takes a free one.
    ///
    /// @throws StoreException `refused` if the address is taken or not one of this host
    public static TcpStoreServer start(InetSocketAddress address, TcpStoreConfig config) {
        try {
            ServerSocket socket = new ServerSocket();
            try {
                socket.setReuseAddress(true);
                socket.bind(address, BACKLOG);
            } catch (IOException e) {
                socket.close();
                throw e;
            }
            warnIfOpen(LOG, socket.getInetAddress(), config);
            TcpStoreServer server = new TcpStoreServer(socket, config);
            server.acceptor.start();
            return server;
        } catch (IOException e) {
            throw new StoreException(
                    StoreError.REFUSED, "cannot serve a store at " + address + ": " + e.getMessage(), e);
        }
    }

    /// Returns the process that serves the store of a mesh is a member of it, so this is said once for each mesh: on
    /// standard error, unless a program logs elsewhere.
    static void warnIfOpen(System.Logger log, InetAddress address, TcpStoreConfig config) {
        if (TlsPolicy.parse(config.tls()) == TlsPolicy.NEVER && !address.isLoopbackAddress()) {
            log.log(
                    System.Logger.Level.WARNING,
                    TlsPolicy.VARIABLE + "=never: what members of this mesh send beyond this host can be read and"
                            + " changed by every host on the way");
        }
    }

    /// Returns the address at which it serves.
    public InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    /// A way in for the process that serves.
    public Store open() {
        return new TableStore(table, TableStorage.NONE, true, () -> {});
    }

    /// A way in for a process that serves a store besides being a member. Closing it waits until the other members
    /// have left, up to that long, and closes the server.
    public Store openToTheEnd(Duration patience) {
        return new TableStore(table, TableStorage.NONE, true, () -> closeWhenAlone(patience));
    }

    private void closeWhenAlone(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (connections() > 0 && System.nanoTime() - deadline < 0) {
            pause();
        }
        close();
    }

    /// Returns the number of members are connected.
    public int connections() {
        synchronized (members) {
            return members.size();
        }
    }

    /// Deletes the files of this host that members have announced and did not live to delete.
    public void deleteAnnouncedFiles() {
        try (Store own = open()) {
            for (String key : own.keys("")) {
                if (key.endsWith(ANNOUNCED_FILE)) {
                    own.find(key)
                            .map(path -> Path.of(new String(path, StandardCharsets.UTF_8)))
                            .filter(file -> String.valueOf(file.getFileName()).startsWith("muster-"))
                            .ifPresent(TcpStoreServer::delete);
                }
            }
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException _) {
            // Not ours, or on another host: what can be done was done.
        }
    }

    /// Ends the store for all, and waits for its threads.
    @Override
    public void close() {
        closed.countDown();
        try {
            socket.close();
        } catch (IOException _) {
            // It is closed to us in any case.
        }
        List<ServerConnection> all = new ArrayList<>();
        synchronized (members) {
            all.addAll(pending.close());
            all.addAll(members);
        }
        StoreException reason = new StoreException(StoreError.CLOSED, "the server of the store was closed");
        all.forEach(connection -> connection.hangUp(reason));
        table.end(reason);
        try {
            acceptor.join(JOIN_LIMIT);
            for (ServerConnection connection : running) {
                connection.join(JOIN_LIMIT);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept() {
        while (closed.getCount() > 0) {
            try {
                welcome(socket.accept());
            } catch (IOException _) {
                // Closed, or no more descriptors: then it helps to wait until a member leaves.
                pause();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void pause() {
        try {
            boolean _ = closed.await(PAUSE_AFTER_FAILURE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void welcome(Socket peer) throws IOException, InterruptedException {
        ServerConnection connection =
                new ServerConnection(this, peer, config, new TableStore(table, TableStorage.NONE, true, () -> {}));
        if (!pending.enter(connection, peer.getInetAddress())) {
            try (peer) {
                SecureSocket.sendAway(peer);
            }
            return;
        }
        running.add(connection);
        connection.start();
        if (closed.getCount() == 0) {
            connection.hangUp(new StoreException(StoreError.CLOSED, "the server of the store was closed"));
        }
    }

    private static void turnOut(ServerConnection connection) {
        connection.cut(new StoreException(StoreError.REFUSED, "too many connections without a proof"));
    }

    SecureSocket.End end() {
        return end;
    }

    /// A connection has proved who it is; false when it came too late, or no room is left for it.
    boolean admit(ServerConnection connection) {
        synchronized (members) {
            boolean stays =
                    pending.leave(connection) && closed.getCount() > 0 && members.size() < config.maxConnections();
            if (stays) {
                members.add(connection);
            }
            return stays;
        }
    }

    void finished(ServerConnection connection) {
        running.remove(connection);
    }

    void forget(ServerConnection connection) {
        synchronized (members) {
            pending.leave(connection);
            members.remove(connection);
        }
    }
}
