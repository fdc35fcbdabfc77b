// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/// An address of a server: a port, or a Unix socket. Immutable.
///
/// @since 0.2
public sealed interface ListenAddress {
    /// Reads `127.0.0.1:9470`, `[::1]:9470`, `localhost:9470` or `unix:/run/muster/serve.sock`. Other names are not
    /// looked up, so that it is clear who can reach the server.
    static Optional<ListenAddress> find(String text) {
        return text.startsWith(SocketPath.PREFIX) ? SocketPath.read(text) : Port.read(text);
    }

    /// Reports whether it is reached from this machine alone.
    boolean isLoopback();

    /// A port of an address.
    ///
    /// @param socket the same for sockets; port 0 takes a free one
    /// @since 0.2
    record Port(InetSocketAddress socket) implements ListenAddress {
        private static final int MOST_PORT = 65_535;

        private static Optional<ListenAddress> read(String text) {
            int colon = text.lastIndexOf(':');
            String digits = text.substring(colon + 1);
            String host = colon < 0 ? "" : text.substring(0, colon);
            boolean bracketed = host.startsWith("[") && host.endsWith("]");
            String plain = bracketed ? host.substring(1, host.length() - 1) : host;
            boolean literal = bracketed
                    ? plain.matches("[0-9a-fA-F:.]+")
                    : plain.equals("localhost") || plain.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
            if (!literal || !digits.matches("[0-9]{1,5}") || Integer.parseInt(digits) > MOST_PORT) {
                return Optional.empty();
            }
            try {
                return Optional.of(
                        new Port(new InetSocketAddress(InetAddress.getByName(plain), Integer.parseInt(digits))));
            } catch (UnknownHostException _) {
                return Optional.empty();
            }
        }

        @Override
        public boolean isLoopback() {
            return socket.getAddress().isLoopbackAddress();
        }

        @Override
        public String toString() {
            return socket.getAddress().getHostAddress() + ":" + socket.getPort();
        }
    }

    /// A Unix socket, accessible to users who can open its file, which only its owner can.
    ///
    /// @param path its file, which the server makes and deletes
    /// @since 0.2
    record SocketPath(Path path) implements ListenAddress {
        private static final String PREFIX = "unix:";

        private static Optional<ListenAddress> read(String text) {
            String path = text.substring(PREFIX.length());
            try {
                return path.isBlank() ? Optional.empty() : Optional.of(new SocketPath(Path.of(path)));
            } catch (InvalidPathException _) {
                return Optional.empty();
            }
        }

        @Override
        public boolean isLoopback() {
            return true;
        }

        @Override
        public String toString() {
            return PREFIX + path;
        }
    }
}
