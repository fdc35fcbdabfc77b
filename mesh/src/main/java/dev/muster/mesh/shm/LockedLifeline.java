package dev.muster.mesh.shm;

import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.shm.RoundWait.Lifeline;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;

/// Each member holds a lock on one byte of the group's file. The kernel frees it when the process ends, however
/// it ends, also across containers that do not see each other's process numbers.
final class LockedLifeline implements Lifeline {
    /// Locks lie beyond all bytes of any region; locks need no bytes to lie on.
    private static final long FIRST = 1L << 48;

    private final FileChannel channel;

    private LockedLifeline(FileChannel channel) {
        this.channel = channel;
    }

    /// Takes the lock of this member; holds it until the channel is closed.
    static LockedLifeline hold(FileChannel channel, GroupIdentity group) throws IOException {
        FileLock lock = channel.tryLock(FIRST + group.rank(), 1, false);
        if (lock == null) {
            throw new IOException("rank " + group.worldRank(group.rank()) + " is there already");
        }
        return new LockedLifeline(channel);
    }

    @Override
    public boolean isCut(int rank) {
        try (FileLock lock = channel.tryLock(FIRST + rank, 1, false)) {
            return lock != null;
        } catch (IOException e) {
            return false; // no answer is no proof; the limit still holds
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
