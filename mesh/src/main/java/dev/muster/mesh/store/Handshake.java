// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.secure.FrameTags;
import dev.muster.mesh.store.FrameChannel.Tags;
import dev.muster.mesh.store.StoreException.StoreError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/// The exchange by which both sides prove that they know the secret, without sending it: each gives the other a number
/// never used before and expects it back, signed. The labels keep an answer from being used in the other direction.
final class Handshake {
    private static final byte[] MAGIC = "MUSTER3\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CLIENT = "client".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SERVER = "server".getBytes(StandardCharsets.US_ASCII);
    private static final int NONCE_BYTES = 32;
    /// The silence stands between the two.
    static final int HELLO_BYTES = MAGIC.length + Long.BYTES + NONCE_BYTES;

    private static final byte WELCOME = 0;
    private static final byte REFUSED = 1;
    private static final byte FULL = 2;

    private final FrameChannel wire;
    private final Secret secret;
    private final Duration silence;

    Handshake(FrameChannel wire, TcpStoreConfig config) {
        this.wire = wire;
        this.secret = config.secret();
        this.silence = config.silence();
    }

    /// The server's side; gives the tags when the other side is a member.
    ///
    /// @param admission lets it in if there is room: before the welcome, since who was welcomed believes to be in
    /// @throws StoreException `refused` or `garbled`
    Tags serve(BooleanSupplier admission) throws IOException {
        byte[] hello = hello();
        wire.writeNow(hello);
        // A client that begins with something else is sent away without a wait for the rest.
        byte[] magic = wire.readExactly(MAGIC.length);
        requireMagic(magic);
        byte[] rest = wire.readExactly(HELLO_BYTES - MAGIC.length + Secret.PROOF_BYTES);
        byte[] answer = ByteBuffer.allocate(MAGIC.length + rest.length)
                .put(magic)
                .put(rest)
                .array();
        byte[] theirs = Arrays.copyOf(answer, HELLO_BYTES);
        byte[] proof = Arrays.copyOfRange(answer, HELLO_BYTES, answer.length);
        if (!Secret.isSame(proof, secret.prove(CLIENT, hello, theirs))) {
            refuse(REFUSED, "a connection does not know the secret");
        }
        if (!admission.getAsBoolean()) {
            refuse(FULL, "the server has reached its limit of connections");
        }
        byte[] own = secret.prove(SERVER, hello, theirs);
        wire.writeNow(ByteBuffer.allocate(1 + own.length).put(WELCOME).put(own).array());
        return new Tags(tags(SERVER, hello, theirs), tags(CLIENT, hello, theirs));
    }

    /// Those of one direction: what one side sends never looks like what the other does.
    private FrameTags tags(byte[] sender, byte[] server, byte[] client) {
        return new FrameTags(secret.derive("muster store frames", sender, server, client));
    }

    private void refuse(byte status, String message) throws IOException {
        wire.writeNow(new byte[] {status});
        throw new StoreException(StoreError.REFUSED, message);
    }

    /// The client's side.
    ///
    /// @throws StoreException `refused` or `garbled`
    Joined join() throws IOException {
        byte[] theirs = wire.readExactly(HELLO_BYTES);
        requireMagic(theirs);
        byte[] hello = hello();
        byte[] proof = secret.prove(CLIENT, theirs, hello);
        wire.writeNow(ByteBuffer.allocate(HELLO_BYTES + proof.length)
                .put(hello)
                .put(proof)
                .array());
        byte status = wire.readExactly(1)[0];
        switch (status) {
            case WELCOME -> {
                byte[] own = wire.readExactly(Secret.PROOF_BYTES);
                if (!Secret.isSame(own, secret.prove(SERVER, theirs, hello))) {
                    throw new StoreException(StoreError.REFUSED, "the server does not know the secret");
                }
                long sooner = Math.clamp(silence(theirs), 1, silence.toMillis());
                return new Joined(
                        Duration.ofMillis(sooner), new Tags(tags(CLIENT, theirs, hello), tags(SERVER, theirs, hello)));
            }
            case REFUSED -> throw new StoreException(StoreError.REFUSED, "the server has another secret");
            case FULL -> throw new IOException("the server has no room for one more");
            default -> throw new StoreException(StoreError.GARBLED, "the server does not follow the protocol");
        }
    }

    /// The result for a client that was admitted as a member.
    ///
    /// @param silence after how long without a sign the sooner of the two takes the other for lost
    /// @param tags of messages from now on
    record Joined(Duration silence, Tags tags) {}

    private byte[] hello() {
        return ByteBuffer.allocate(HELLO_BYTES)
                .put(MAGIC)
                .putLong(silence.toMillis())
                .put(Secret.randomBytes(NONCE_BYTES))
                .array();
    }

    private static void requireMagic(byte[] hello) {
        if (!Arrays.equals(hello, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new StoreException(StoreError.GARBLED, "the other side is not a store of this version");
        }
    }

    private static long silence(byte[] hello) {
        return ByteBuffer.wrap(hello).getLong(MAGIC.length);
    }
}
