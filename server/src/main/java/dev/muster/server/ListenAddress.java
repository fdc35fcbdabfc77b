// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/// An address and a port to listen at. Immutable.
///
/// @param socket the same for sockets
/// @since 0.2
public record ListenAddress(InetSocketAddress socket) {
    private static final int MOST_PORT = 65_535;

    /// Reads `127.0.0.1:9470`, `[::1]:9470` or `localhost:9470`. Other names are not looked up, so that it is clear who
    /// can
    /// reach the server.
    public static Optional<ListenAddress> find(String text) {
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
                    new ListenAddress(new InetSocketAddress(InetAddress.getByName(plain), Integer.parseInt(digits))));
        } catch (UnknownHostException _) {
            return Optional.empty();
        }
    }

    /// Whether it is reached from this machine alone.
    public boolean isLoopback() {
        return socket.getAddress().isLoopbackAddress();
    }
}
