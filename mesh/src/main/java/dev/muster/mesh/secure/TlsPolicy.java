// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.secure;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The rule for encryption of the connections of a mesh.
public enum TlsPolicy {
    /// Encryption if an end of the connection is not on loopback, or the other end asks for it.
    AUTO,
    /// On every connection.
    ALWAYS,
    /// On none, on any network.
    NEVER;

    /// The variable that says which.
    public static final String VARIABLE = "MUSTER_MESH_TLS";

    private static final int MAX_QUOTED = 40;

    /// The policy that people write.
    ///
    /// @throws IllegalArgumentException if there is none of that name
    public static TlsPolicy parse(String text) {
        for (TlsPolicy policy : values()) {
            if (policy.text().equals(text)) {
                return policy;
            }
        }
        String plain = text.replaceAll("\\p{Cntrl}", "?");
        throw new IllegalArgumentException(VARIABLE + " is auto, always or never, not '"
                + plain.substring(0, Math.min(MAX_QUOTED, plain.length())) + "'");
    }

    /// The policy of a setting, or the usual one.
    ///
    /// @throws IllegalArgumentException if there is none of that name
    public static TlsPolicy of(Optional<String> setting) {
        return setting.map(TlsPolicy::parse).orElse(AUTO);
    }

    /// The word that people write.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the demand that an end of a connection between two addresses makes on the other.
    Wish wish(InetAddress one, InetAddress other) {
        return switch (this) {
            case ALWAYS -> Wish.ALWAYS;
            case NEVER -> Wish.NEVER;
            case AUTO -> one.isLoopbackAddress() && other.isLoopbackAddress() ? Wish.EITHER : Wish.NETWORK;
        };
    }

    /// The demand of one end on the other. The codes are part of the protocol.
    enum Wish {
        /// No encryption, also if the other end asks for it.
        NEVER(0, "refuses TLS (" + VARIABLE + "=never)"),
        /// Both ends are on loopback: as the other end wants.
        EITHER(1, "needs no TLS on loopback"),
        /// An end is not on loopback.
        NETWORK(2, "asks for TLS, because the connection is not on loopback (" + VARIABLE + "=auto)"),
        /// Encryption, wherever the ends are.
        ALWAYS(3, "asks for TLS (" + VARIABLE + "=always)");

        private final byte code;
        private final String sentence;

        Wish(int code, String sentence) {
            this.code = (byte) code;
            this.sentence = sentence;
        }

        byte code() {
            return code;
        }

        static Optional<Wish> find(byte code) {
            return Arrays.stream(values()).filter(wish -> wish.code == code).findFirst();
        }

        /// Returns the behaviour of this end, for the middle of a sentence.
        String sentence() {
            return sentence;
        }

        boolean demands() {
            return this == NETWORK || this == ALWAYS;
        }
    }
}
