// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.secure;

import dev.muster.mesh.secure.TlsPolicy.Wish;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The first bytes each way: that this is a mesh, and whether its end wants TLS. Neither end has proven anything yet,
/// so an attacker who changes them can end a connection and do nothing else: an end that demands TLS goes on with TLS
/// or not at all.
final class TlsPreamble {
    private static final byte[] MAGIC = "MUSTER3".getBytes(StandardCharsets.US_ASCII);
    private static final int BYTES = MAGIC.length + 1;
    /// In the place of a wish: come again later.
    private static final byte FULL = 'F';

    private TlsPreamble() {}

    /// Finds out whether both ends go on with TLS.
    ///
    /// @throws PeerRefusedException if the other end is none of a mesh, or wants the opposite
    static boolean exchange(Socket socket, InputStream in, OutputStream out, Wish own) throws IOException {
        out.write(bytes(own.code()));
        byte[] theirs = in.readNBytes(BYTES);
        if (theirs.length == 0) {
            throw new IOException("the other side closed the connection before it identified itself");
        }
        if (theirs.length < BYTES || !Arrays.equals(theirs, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw noMember();
        }
        byte word = theirs[MAGIC.length];
        if (word == FULL) {
            throw new CrowdedException();
        }
        return agree(socket, own, Wish.find(word).orElseThrow(TlsPreamble::noMember));
    }

    private static PeerRefusedException noMember() {
        return new PeerRefusedException("the other side is not a member of a mesh of this version");
    }

    private static boolean agree(Socket socket, Wish own, Wish other) throws PeerRefusedException {
        boolean refused = (own == Wish.NEVER && other.demands()) || (other == Wish.NEVER && own.demands());
        if (refused) {
            throw new PeerRefusedException(
                    "this side (" + socket.getLocalAddress().getHostAddress() + ") "
                            + own.sentence() + ", the other side ("
                            + socket.getInetAddress().getHostAddress() + ") "
                            + other.sentence() + "; set " + TlsPolicy.VARIABLE + " alike for all");
        }
        return own.demands() || other.demands();
    }

    /// Says that no room is left, to one that shall come again.
    static void sendAway(OutputStream out) throws IOException {
        out.write(bytes(FULL));
    }

    private static byte[] bytes(byte word) {
        byte[] bytes = Arrays.copyOf(MAGIC, BYTES);
        bytes[MAGIC.length] = word;
        return bytes;
    }

    /// The other end has no room for one that has not proven itself; it may have later.
    static final class CrowdedException extends IOException {
        private static final long serialVersionUID = 1;

        CrowdedException() {
            super("the other side has no room for one more that has to prove itself");
        }
    }
}
