package dev.muster.mesh.store;

import java.nio.file.Path;
import java.time.Duration;

/// A store for the processes of one host: a folder with a log that all of them append to.
///
/// A process may be killed at any time: half a record at the end of the log is passed over, and the next to write
/// removes it. Waiting looks at the log every 1 to 32 ms. Files do not notice lost members; heartbeats
/// do. The folder has to be on a local file system with working locks, and belongs to its user alone.
final class FileStore {
    /// How long a change waits for another process in the middle of one.
    private static final Duration LOCK_LIMIT = Duration.ofSeconds(30);

    private FileStore() {}

    /// Opens the store in a folder, which is made when it is not there. Its parent has to be.
    ///
    /// @throws StoreException `file-failed` if that cannot be done
    static Store open(Path folder) {
        return open(folder, LOCK_LIMIT);
    }

    static Store open(Path folder, Duration lockLimit) {
        FileLog log = FileLog.open(folder, lockLimit);
        return new TableStore(log.table(), log, false, log::release);
    }
}
