// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.tcp;

import dev.muster.mesh.collective.GroupCall;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.Transfer;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The connection to one other member: messages in order, each way. Never waits: what cannot be moved now is left for
/// the next time. Confined to one thread, except for [#close()].
final class Connection {
    /// The number of bytes that are read ahead, and up to which head and message leave together.
    private static final int STAGING_BYTES = 64 << 10;

    private final ByteStream line;
    private final FrameHead sent;
    private final FrameHead received;
    private final GroupIdentity group;
    private final int peer;
    private final BufferViews views;
    private final ByteBuffer ahead = ByteBuffer.allocateDirect(STAGING_BYTES).limit(0);
    private final ByteBuffer leaving = ByteBuffer.allocateDirect(STAGING_BYTES).limit(0);
    private final MemorySegment aheadBytes =
            MemorySegment.ofBuffer(ahead.duplicate().clear());
    private final MemorySegment leavingBytes =
            MemorySegment.ofBuffer(leaving.duplicate().clear());

    /// @param proven the other member, on a channel that does not block
    Connection(AuthenticatedPeer proven, GroupIdentity group, BufferViews views) {
        this.line = proven.line();
        this.sent = new FrameHead(proven.sent());
        this.received = new FrameHead(proven.received());
        this.group = group;
        this.peer = proven.rank();
        this.views = views;
    }

    /// Sends as much as the socket takes.
    ///
    /// @return true if anything moved
    boolean send(Transfer transfer, long what, long howMuch) throws IOException {
        boolean moved = false;
        if (!transfer.hasBegun()) {
            if (leaving.hasRemaining() && !flush()) {
                return false;
            }
            stage(transfer, what, howMuch);
            moved = true;
        }
        if (leaving.hasRemaining()) {
            moved |= flush();
            if (leaving.hasRemaining()) {
                return moved;
            }
        }
        while (transfer.left() > 0) {
            int written = line.write(views.view(transfer.segment(), transfer.position(), transfer.left()));
            if (written == 0) {
                return moved;
            }
            transfer.advance(written);
            moved = true;
        }
        return moved;
    }

    /// Puts the head and the beginning of a message into one buffer: a short message leaves with one call.
    private void stage(Transfer transfer, long what, long howMuch) {
        leaving.clear();
        sent.write(leaving, group.incarnation(), what, howMuch, transfer.bytes());
        long length = Math.min(transfer.bytes(), STAGING_BYTES - FrameHead.BYTES);
        MemorySegment.copy(transfer.segment(), transfer.position(), leavingBytes, FrameHead.BYTES, length);
        leaving.position(0).limit((int) (FrameHead.BYTES + length));
        transfer.begin();
        transfer.advance(length);
    }

    private boolean flush() throws IOException {
        return line.write(leaving) > 0;
    }

    /// Reports whether bytes of messages that count as sent still wait for the socket.
    boolean isFlushed() throws IOException {
        if (leaving.hasRemaining()) {
            line.write(leaving);
        }
        return !leaving.hasRemaining() && line.flush();
    }

    /// Receives as much as has come.
    ///
    /// @return true if anything moved
    boolean receive(GroupCall call, Transfer transfer, long what, long howMuch) throws IOException {
        boolean moved = false;
        if (!transfer.hasBegun()) {
            if (ahead.remaining() < FrameHead.BYTES && !fill()) {
                return false;
            }
            if (ahead.remaining() < FrameHead.BYTES) {
                return true;
            }
            checkHead(call, transfer, what, howMuch);
            transfer.begin();
            moved = true;
        }
        while (transfer.left() > 0) {
            if (ahead.hasRemaining()) {
                long length = Math.min(ahead.remaining(), transfer.left());
                MemorySegment.copy(aheadBytes, ahead.position(), transfer.segment(), transfer.position(), length);
                ahead.position((int) (ahead.position() + length));
                transfer.advance(length);
            } else if (transfer.left() >= STAGING_BYTES) {
                int read = read(views.view(transfer.segment(), transfer.position(), transfer.left()));
                if (read == 0) {
                    return moved;
                }
                transfer.advance(read);
            } else if (!fill()) {
                return moved;
            }
            moved = true;
        }
        return moved;
    }

    private boolean fill() throws IOException {
        ahead.compact();
        int read = -1;
        try {
            read = read(ahead);
        } finally {
            ahead.flip();
        }
        return read > 0;
    }

    private int read(ByteBuffer into) throws IOException {
        int read = line.read(into);
        if (read < 0) {
            throw new EOFException("the connection was closed");
        }
        return read;
    }

    private void checkHead(GroupCall call, Transfer transfer, long what, long howMuch) {
        if (!received.read(ahead, group.incarnation())) {
            throw new GroupException(
                    GroupError.PROTOCOL,
                    group.where(call) + ": rank " + group.worldRank(peer)
                            + ": the bytes that arrived are not a frame of this mesh, incarnation and place");
        }
        long theirs = received.what();
        long theirSize = received.howMuch();
        if (theirs != what || theirSize != howMuch) {
            throw otherCall(call, GroupCall.text(theirs, theirSize));
        }
        if (received.length() != transfer.bytes()) {
            throw otherCall(
                    call,
                    call.text() + " with a message of " + received.length() + " bytes where " + transfer.bytes()
                            + " are expected");
        }
    }

    private GroupException otherCall(GroupCall call, String theirs) {
        return new GroupException(
                GroupError.DISAGREEMENT,
                group.where(call) + ": rank " + group.worldRank(group.rank()) + " calls " + call.text() + ", rank "
                        + group.worldRank(peer) + " calls " + theirs);
    }

    /// Ends the connection; a thread that moves something gets an [IOException].
    void close() {
        try {
            line.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
