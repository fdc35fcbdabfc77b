package dev.muster.mesh.store;

import dev.muster.mesh.store.StoreException.Code;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Finds its way to a server that may not be there yet.
///
/// @param address where the server is
/// @param config how to talk to it
record Connector(InetSocketAddress address, TcpStoreConfig config) {
    ClientConnection connect(Duration limit) {
        long nanos = TableStore.nanos(limit);
        long start = System.nanoTime();
        Pace pace = Pace.polling();
        IOException last = new SocketTimeoutException("no time to try");
        long left = nanos;
        while (left > 0) {
            try {
                ClientConnection connection = tryOnce(left);
                if (connection != null) {
                    return connection;
                }
            } catch (ConnectException | NoRouteToHostException | UnknownHostException | SocketTimeoutException e) {
                // The server may come up later.
                last = e;
            } catch (IOException e) {
                throw new StoreException(
                        Code.LOST, "cannot talk to the store at " + place() + ": " + e.getMessage(), e);
            }
            left = nanos - (System.nanoTime() - start);
            LockSupport.parkNanos(Math.max(0, Math.min(left, pace.nextNanos())));
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                throw new StoreException(Code.INTERRUPTED, "interrupted while looking for a store at " + place());
            }
        }
        throw new StoreException(
                Code.LIMIT_EXCEEDED,
                "no store answers at " + place() + " within " + limit.toMillis() + " ms: " + last.getMessage(),
                last);
    }

    private @Nullable ClientConnection tryOnce(long nanos) throws IOException {
        InetSocketAddress target = new InetSocketAddress(address.getHostString(), address.getPort());
        if (target.isUnresolved()) {
            throw new UnknownHostException(address.getHostString());
        }
        Socket socket = new Socket();
        try {
            socket.connect(target, Math.clamp(nanos / 1_000_000, 1, Integer.MAX_VALUE));
            if (socket.getLocalSocketAddress().equals(socket.getRemoteSocketAddress())) {
                // Linux can connect a socket to itself when the port that nobody serves is in the ephemeral range.
                socket.close();
                return null;
            }
            return ClientConnection.over(socket, config);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private String place() {
        return address.getHostString() + ":" + address.getPort();
    }
}
