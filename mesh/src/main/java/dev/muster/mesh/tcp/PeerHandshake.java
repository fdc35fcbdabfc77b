package dev.muster.mesh.tcp;

import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.store.Secret;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/// How two members find out that both know the secret and mean the same group of the same incarnation. Each signs a
/// number that the other has just made up; the secret does not travel.
record PeerHandshake(GroupIdentity group, Secret secret) {
    private static final long MAGIC = 0x4d55_5354_5045_0001L;
    private static final int NONCE_BYTES = 32;
    private static final int PROOF_BYTES = 32;
    private static final int HELLO_BYTES = 8 + 8 + 8 + 8 + NONCE_BYTES;
    private static final byte[] CONNECTS = "connects".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ACCEPTS = "accepts".getBytes(StandardCharsets.US_ASCII);
    private static final int WELCOME = 1;

    /// The side that connects.
    void connect(SocketChannel channel, int limitMillis) throws IOException {
        Socket socket = channel.socket();
        socket.setSoTimeout(limitMillis);
        OutputStream out = socket.getOutputStream();
        DataInputStream in = new DataInputStream(socket.getInputStream());
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
    }

    /// The side that accepts.
    ///
    /// @return the rank within the group that has connected
    int accept(SocketChannel channel, int limitMillis) throws IOException {
        Socket socket = channel.socket();
        socket.setSoTimeout(limitMillis);
        OutputStream out = socket.getOutputStream();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] hello = in.readNBytes(HELLO_BYTES);
        if (hello.length < HELLO_BYTES) {
            throw new PeerRefusedException("it hung up");
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
        return (int) rank;
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

    /// The other end of a connection is not the member that it should be.
    static final class PeerRefusedException extends IOException {
        private static final long serialVersionUID = 1;

        PeerRefusedException(String message) {
            super(message);
        }
    }
}
