// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.tcp;

import dev.muster.mesh.secure.FrameTags;
import java.nio.ByteBuffer;

/// The head before each message: the mesh it is of, the call of its sender, its length, and a tag over
/// all that and the message's place in the order. The length is compared with what is awaited and never
/// believed. Confined to one thread; leaves no garbage.
final class FrameHead {
    private static final long MAGIC = 0x4d55_5354_4652_0002L;
    private static final int TAGGED_BYTES = 5 * Long.BYTES;
    static final int BYTES = TAGGED_BYTES + FrameTags.BYTES;

    private final FrameTags tags;
    private final byte[] bytes = new byte[BYTES];
    private final ByteBuffer fields = ByteBuffer.wrap(bytes);

    /// @param tags of the direction in which these heads go
    FrameHead(FrameTags tags) {
        this.tags = tags;
    }

    /// Puts the head of the next message into a buffer.
    void write(ByteBuffer into, long incarnation, long what, long howMuch, long length) {
        fields.clear()
                .putLong(MAGIC)
                .putLong(incarnation)
                .putLong(what)
                .putLong(howMuch)
                .putLong(length);
        tags.append(bytes, TAGGED_BYTES);
        into.put(bytes);
    }

    /// Takes the head of the next message from a buffer; whether a member of this incarnation made it for this place.
    boolean read(ByteBuffer from, long incarnation) {
        from.get(bytes);
        return tags.isNext(bytes, TAGGED_BYTES)
                && fields.getLong(0) == MAGIC
                && fields.getLong(Long.BYTES) == incarnation;
    }

    long what() {
        return fields.getLong(2 * Long.BYTES);
    }

    long howMuch() {
        return fields.getLong(3 * Long.BYTES);
    }

    long length() {
        return fields.getLong(4 * Long.BYTES);
    }
}
