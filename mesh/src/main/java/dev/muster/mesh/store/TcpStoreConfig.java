// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.secure.MeshTls;
import dev.muster.mesh.secure.SecureSocket;
import dev.muster.mesh.secure.TlsPolicy;
import java.time.Duration;

/// The settings of a TCP store and its server. Both sides take the same.
///
/// @param secret common secret of both sides
/// @param callLimit limit of calls that have none of their own
/// @param silence after how long without a sign the other side counts as lost
/// @param handshakeLimit time in which a new connection must prove who it is, and a message must arrive
/// @param maxConnections number of members a server takes
/// @param tls rule for encryption: `always`, `never`, or `auto`, which is wherever an end is not on loopback
/// @since 0.1
public record TcpStoreConfig(
        Secret secret, Duration callLimit, Duration silence, Duration handshakeLimit, int maxConnections, String tls) {
    private static final Duration CALL_LIMIT = Duration.ofSeconds(60);
    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final Duration HANDSHAKE_LIMIT = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofHours(24);
    private static final int MAX_CONNECTIONS = 4_096;

    /// Checks the figures.
    public TcpStoreConfig {
        requireSensible("the limit of a call", callLimit);
        requireSensible("the silence", silence);
        requireSensible("the limit of a handshake", handshakeLimit);
        if (maxConnections < 1) {
            throw new IllegalArgumentException("a server takes at least one connection: " + maxConnections);
        }
        TlsPolicy.parse(tls);
    }

    private static void requireSensible(String what, Duration time) {
        if (time.compareTo(Duration.ofMillis(10)) < 0 || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " is from 10 ms to 24 h: " + time);
        }
    }

    /// The usual: calls wait a minute, and half a minute of silence is a loss.
    public static TcpStoreConfig of(Secret secret) {
        return new TcpStoreConfig(secret, CALL_LIMIT, SILENCE, HANDSHAKE_LIMIT, MAX_CONNECTIONS, TlsPolicy.AUTO.text());
    }

    /// The same with another limit for calls.
    public TcpStoreConfig withCallLimit(Duration other) {
        return new TcpStoreConfig(secret, other, silence, handshakeLimit, maxConnections, tls);
    }

    /// The same with another silence.
    public TcpStoreConfig withSilence(Duration other) {
        return new TcpStoreConfig(secret, callLimit, other, handshakeLimit, maxConnections, tls);
    }

    /// The same with another limit for handshakes and messages.
    public TcpStoreConfig withHandshakeLimit(Duration other) {
        return new TcpStoreConfig(secret, callLimit, silence, other, maxConnections, tls);
    }

    /// The same with another number of members.
    public TcpStoreConfig withMaxConnections(int other) {
        return new TcpStoreConfig(secret, callLimit, silence, handshakeLimit, other, tls);
    }

    /// The same with TLS `always`, `never` or by `auto`.
    public TcpStoreConfig withTls(String other) {
        return new TcpStoreConfig(secret, callLimit, silence, handshakeLimit, maxConnections, other);
    }

    /// This end of its connections. What TLS needs is made by the first one that goes on in TLS.
    SecureSocket.End end() {
        return new SecureSocket.End(TlsPolicy.parse(tls), () -> secret.derive(MeshTls.LABEL));
    }
}
