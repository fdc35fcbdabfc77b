// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.tcp;

import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.secure.FrameTags;
import dev.muster.mesh.secure.MeshTls;
import dev.muster.mesh.secure.PeerRefusedException;
import dev.muster.mesh.secure.SecureSocket;
import dev.muster.mesh.secure.TlsPolicy;
import dev.muster.mesh.store.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/// The exchange by which two members prove that both know the secret and mean the same group of the same incarnation.
/// Each signs a number that the other has just made up; the secret does not travel. All of it goes through TLS where
/// the connection is encrypted.
final class PeerHandshake {
    private static final long MAGIC = 0x4d55_5354_5045_0002L;
    private static final int NONCE_BYTES = 32;
    private static final int PROOF_BYTES = 32;
    private static final int HELLO_BYTES = 8 + 8 + 8 + 8 + NONCE_BYTES;
    private static final byte[] CONNECTS = "connects".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ACCEPTS = "accepts".getBytes(StandardCharsets.US_ASCII);
    private static final int WELCOME = 1;

    private final GroupIdentity group;
    private final Secret secret;
    private final SecureSocket.End end;

    PeerHandshake(GroupIdentity group, Secret secret, TlsPolicy policy) {
        this.group = group;
        this.secret = secret;
        this.end = new SecureSocket.End(policy, () -> secret.derive(MeshTls.LABEL));
    }

    /// The side that connects.
    ///
    /// @param rank of the other side, within the group
    /// @param deadline the moment of [System#nanoTime()] at which this has failed
    AuthenticatedPeer connect(int rank, SocketChannel channel, long deadline) throws IOException {
        SecureSocket secured = end.connect(channel.socket(), deadline);
        OutputStream out = secured.out();
        InputStream in = secured.in();
        byte[] hello = ByteBuffer.allocate(HELLO_BYTES)
                .putLong(MAGIC)
                .putLong(group.incarnation())
                .putLong(groupNumber())
                .putLong(group.rank())
                .put(Secret.randomBytes(NONCE_BYTES))
                .array();
        out.write(hello);
        byte[] nonce = in.readNBytes(NONCE_BYTES);
        byte[] proof = in.readNBytes(PROOF_BYTES);
        if (!Secret.isSame(proof, secret.prove(ACCEPTS, hello, nonce))) {
            throw new PeerRefusedException("it does not know the secret of this mesh, or means another group");
        }
        out.write(secret.prove(CONNECTS, hello, nonce));
        if (in.read() != WELCOME) {
            throw new PeerRefusedException("it refused this rank");
        }
        return new AuthenticatedPeer(
                rank, channel, secured.records(), tags(CONNECTS, hello, nonce), tags(ACCEPTS, hello, nonce));
    }

    /// The side that accepts.
    ///
    /// @param deadline the moment of [System#nanoTime()] at which this has failed
    /// @return the member that has connected
    AuthenticatedPeer accept(SocketChannel channel, long deadline) throws IOException {
        Socket socket = channel.socket();
        SecureSocket secured = end.accept(socket, deadline);
        OutputStream out = secured.out();
        InputStream in = secured.in();
        byte[] hello = in.readNBytes(HELLO_BYTES);
        if (hello.length < HELLO_BYTES) {
            throw new IOException("it hung up");
        }
        ByteBuffer fields = ByteBuffer.wrap(hello);
        boolean ours = fields.getLong() == MAGIC
                && fields.getLong() == group.incarnation()
                && fields.getLong() == groupNumber();
        long rank = fields.getLong();
        if (!ours || rank <= group.rank() || rank >= group.size()) {
            throw new PeerRefusedException("it means another mesh, group or incarnation");
        }
        byte[] nonce = Secret.randomBytes(NONCE_BYTES);
        out.write(nonce);
        out.write(secret.prove(ACCEPTS, hello, nonce));
        if (!Secret.isSame(in.readNBytes(PROOF_BYTES), secret.prove(CONNECTS, hello, nonce))) {
            throw new PeerRefusedException("it does not know the secret of this mesh");
        }
        out.write(WELCOME);
        return new AuthenticatedPeer(
                (int) rank, channel, secured.records(), tags(ACCEPTS, hello, nonce), tags(CONNECTS, hello, nonce));
    }

    /// Those of one direction: what one side sends never looks like what the other does.
    private FrameTags tags(byte[] sender, byte[] hello, byte[] nonce) {
        return new FrameTags(secret.derive("muster tcp frames", sender, hello, nonce));
    }

    private long groupNumber() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest((group.key() + group.worldRanks()).getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(Arrays.copyOf(digest, 8)).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
