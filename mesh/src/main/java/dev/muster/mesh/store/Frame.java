// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.secure.FrameTags;
import java.nio.ByteBuffer;

/// One message: four bytes of length, then number of the call, kind and content; a tag follows. Immutable.
final class Frame {
    /// Number and kind.
    static final int HEAD_BYTES = Long.BYTES + 1;

    private final long id;
    private final MessageType verb;
    private final byte[] body;

    Frame(long id, MessageType verb, byte[] body) {
        this.id = id;
        this.verb = verb;
        this.body = body;
    }

    /// Reads what stands between the length and the tag.
    static Frame parse(ByteBuffer buffer) {
        long id = buffer.getLong();
        MessageType verb = MessageType.of(buffer.get());
        byte[] body = new byte[buffer.remaining()];
        buffer.get(body);
        return new Frame(id, verb, body);
    }

    /// The message, with room for its tag.
    byte[] toBytes() {
        return ByteBuffer.allocate(Integer.BYTES + HEAD_BYTES + body.length + FrameTags.BYTES)
                .putInt(HEAD_BYTES + body.length)
                .putLong(id)
                .put(verb.code())
                .put(body)
                .array();
    }

    long id() {
        return id;
    }

    MessageType verb() {
        return verb;
    }

    BodyReader reader() {
        return new BodyReader(ByteBuffer.wrap(body));
    }
}
