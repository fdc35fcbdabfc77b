package dev.muster.mesh.store;

import java.nio.ByteBuffer;

/// One message: four bytes of length, then generation, number of the call, kind and content. Immutable.
final class Frame {
    /// Generation, number and kind.
    static final int HEAD_BYTES = 2 * Long.BYTES + 1;

    private final long generation;
    private final long id;
    private final Verb verb;
    private final byte[] body;

    Frame(long generation, long id, Verb verb, byte[] body) {
        this.generation = generation;
        this.id = id;
        this.verb = verb;
        this.body = body;
    }

    /// Reads what stands behind the length.
    static Frame parse(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        long generation = buffer.getLong();
        long id = buffer.getLong();
        Verb verb = Verb.of(buffer.get());
        byte[] body = new byte[buffer.remaining()];
        buffer.get(body);
        return new Frame(generation, id, verb, body);
    }

    byte[] toBytes() {
        return ByteBuffer.allocate(Integer.BYTES + HEAD_BYTES + body.length)
                .putInt(HEAD_BYTES + body.length)
                .putLong(generation)
                .putLong(id)
                .put(verb.code())
                .put(body)
                .array();
    }

    long generation() {
        return generation;
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
