package dev.muster.mesh.store;

import java.nio.ByteBuffer;

/// One message: four bytes of length, then number of the call, kind and content. Immutable.
final class Frame {
    /// Number and kind.
    static final int HEAD_BYTES = Long.BYTES + 1;

    private final long id;
    private final Verb verb;
    private final byte[] body;

    Frame(long id, Verb verb, byte[] body) {
        this.id = id;
        this.verb = verb;
        this.body = body;
    }

    /// Reads what stands behind the length.
    static Frame parse(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        long id = buffer.getLong();
        Verb verb = Verb.of(buffer.get());
        byte[] body = new byte[buffer.remaining()];
        buffer.get(body);
        return new Frame(id, verb, body);
    }

    byte[] toBytes() {
        return ByteBuffer.allocate(Integer.BYTES + HEAD_BYTES + body.length)
                .putInt(HEAD_BYTES + body.length)
                .putLong(id)
                .put(verb.code())
                .put(body)
                .array();
    }

    long id() {
        return id;
    }

    Verb verb() {
        return verb;
    }

    BodyReader reader() {
        return new BodyReader(ByteBuffer.wrap(body));
    }
}
