package dev.muster.mesh.store;

import dev.muster.mesh.store.StoreException.Code;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Serves a store over TCP to all who know the secret. Safe for use by many threads. Whoever started it closes it;
/// every client then fails with [Code#LOST].
///
/// Messages are neither signed one by one nor encrypted: the secret keeps strangers out, not those who can change
/// packets on the way. Use it on loopback or a network of your own.
///
/// @since 0.1
public final class TcpStoreServer implements AutoCloseable {
    /// What keys end with that name a file which a member is about to make.
    public static final String ANNOUNCED_FILE = "/announced-file";

    /// Connections that have not proved who they are yet. When there are as many, the oldest makes room for the
    /// next one, but not before it had time to prove itself: until then the next ones wait in the system's queue.
    /// So a flood of connections that say nothing holds members up for moments, and keeps none out.
    private static final int MAX_STRANGERS = 1_024;

    private static final Duration TIME_TO_PROVE = Duration.ofSeconds(1);
    private static final int BACKLOG = 4_096;
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 50;

    private final TcpStoreConfig config;
    private final ServerSocket socket;
    private final StoreTable table = new StoreTable((_, _) -> {}, System::nanoTime);
    private final Set<ServerConnection> strangers = new LinkedHashSet<>();
    private final Set<ServerConnection> members = new LinkedHashSet<>();
    /// Connections with threads that have not ended yet.
    private final Set<ServerConnection> running = ConcurrentHashMap.newKeySet();

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread acceptor;

    private TcpStoreServer(ServerSocket socket, TcpStoreConfig config) {
        this.socket = socket;
        this.config = config;
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
            TcpStoreServer server = new TcpStoreServer(socket, config);
            server.acceptor.start();
            return server;
        } catch (IOException e) {
            throw new StoreException(Code.REFUSED, "cannot serve a store at " + address + ": " + e.getMessage(), e);
        }
    }

    /// Where it serves.
    public InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    /// A way in for the process that serves.
    public Store open() {
        return new TableStore(table, Backing.NONE, true, () -> {});
    }

    /// A way in for a process that serves a store besides being a member. Closing it waits until the other members
    /// have left, up to that long, and closes the server.
    public Store openToTheEnd(Duration patience) {
        return new TableStore(table, Backing.NONE, true, () -> closeWhenAlone(patience));
    }

    private void closeWhenAlone(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (connections() > 0 && System.nanoTime() - deadline < 0) {
            pause();
        }
        close();
    }

    /// How many members are connected.
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
            all.addAll(strangers);
            all.addAll(members);
        }
        StoreException reason = new StoreException(Code.CLOSED, "the server of the store was closed");
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
                // Closed, or no more descriptors: then it helps to wait until somebody leaves.
                pause();
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

    private void welcome(Socket peer) throws IOException {
        ServerConnection connection =
                new ServerConnection(this, peer, config, new TableStore(table, Backing.NONE, true, () -> {}));
        makeRoom();
        synchronized (members) {
            strangers.add(connection);
        }
        running.add(connection);
        connection.start();
        if (closed.getCount() == 0) {
            connection.hangUp(new StoreException(Code.CLOSED, "the server of the store was closed"));
        }
    }

    /// Waits until there are fewer strangers, or the oldest of them had its time.
    private void makeRoom() {
        while (closed.getCount() > 0) {
            Optional<ServerConnection> oldest;
            synchronized (members) {
                if (strangers.size() < MAX_STRANGERS) {
                    return;
                }
                oldest = strangers.stream().findFirst();
            }
            if (oldest.isPresent() && oldest.get().age().compareTo(TIME_TO_PROVE) > 0) {
                oldest.get().cut(new StoreException(Code.REFUSED, "too many connections without a proof"));
            } else {
                pause();
            }
        }
    }

    /// A connection has proved who it is; false when it came too late, or there is no room for it.
    boolean admit(ServerConnection connection) {
        synchronized (members) {
            boolean stays =
                    strangers.remove(connection) && closed.getCount() > 0 && members.size() < config.maxConnections();
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
            strangers.remove(connection);
            members.remove(connection);
        }
    }
}
