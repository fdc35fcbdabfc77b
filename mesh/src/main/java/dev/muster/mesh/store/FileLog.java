// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.store.StoreException.StoreError;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A store for the processes of one host: a folder with a log that all of them append to. This is the log as
/// all threads of this process share it.
///
/// A process may be killed at any time: half a record at the end of the log is passed over, and the next to write
/// removes it. Waiting looks at the log every 1 to 32 ms. Files do not notice lost members; heartbeats
/// do. The folder has to be on a local file system with working locks, and belongs to its user alone.
///
/// Changes are made under a lock of the file system, after all that others wrote has been read. When the log is much
/// longer than what it says, the one who holds the lock writes it anew under the next number; who meets a newer log
/// goes on there.
final class FileLog implements TableStorage {
    /// One for each folder in this process, and therefore static: POSIX takes all of a process's locks of a file
    /// away when the process closes any descriptor of it.
    private static final Map<Path, FileLog> OPEN = new HashMap<>();

    /// The time that a change waits for another process in the middle of one.
    private static final Duration LOCK_LIMIT = Duration.ofSeconds(30);

    private static final long LEAST_BEFORE_REWRITE = 4L << 20;
    /// The number of looks for the newest log before the folder counts as gone.
    private static final int MAX_ATTEMPTS = 20;

    private final LogFolder folder;
    private final Duration lockLimit;
    private final StoreTable table = new StoreTable(this::append, System::nanoTime);
    private final RandomAccessFile lockFile;
    /// Held for a whole change, also while other processes are waited for.
    private final ReentrantLock writing = new ReentrantLock();
    /// Guards the log and its place in it; never held while waiting.
    private final ReentrantLock reading = new ReentrantLock();

    private @Nullable LogFile log;
    private long number;
    private int users;

    private FileLog(LogFolder folder, Duration lockLimit) throws IOException {
        this.folder = folder;
        this.lockLimit = lockLimit;
        this.lockFile = new RandomAccessFile(folder.lockFile().toFile(), "rw");
    }

    /// Opens the store in a folder, which is made when it is not there. Its parent has to be.
    ///
    /// @throws StoreException `file-failed` if that cannot be done
    static Store openStore(Path folder) {
        return openStore(folder, LOCK_LIMIT);
    }

    static Store openStore(Path folder, Duration lockLimit) {
        FileLog log = open(folder, lockLimit);
        return new TableStore(log.table, log, false, log::release);
    }

    private static FileLog open(Path path, Duration lockLimit) {
        synchronized (OPEN) {
            try {
                LogFolder folder = LogFolder.create(path);
                FileLog log = OPEN.get(folder.path());
                if (log == null) {
                    log = new FileLog(folder, lockLimit);
                    log.start();
                    OPEN.put(folder.path(), log);
                }
                log.users++;
                return log;
            } catch (IOException e) {
                throw failed(e);
            }
        }
    }

    private void start() throws IOException {
        try {
            underFileLock(() -> {
                if (folder.newest() == 0) {
                    LogFile.write(folder.draft(), Map.of());
                    folder.publishDraft(1);
                }
                moveOn();
                return true;
            });
        } catch (IOException | RuntimeException e) {
            lockFile.close();
            throw e;
        }
    }

    /// One user less; the last one closes the files.
    void release() {
        synchronized (OPEN) {
            users--;
            if (users > 0) {
                return;
            }
            OPEN.remove(folder.path(), this);
        }
        reading.lock();
        try {
            if (log != null) {
                log.close();
                log = null;
            }
            lockFile.close();
        } catch (IOException e) {
            throw failed(e);
        } finally {
            reading.unlock();
        }
    }

    @Override
    public <T> T exclusively(Supplier<T> change) {
        try {
            return underFileLock(() -> {
                catchUp();
                LogFile current = requireLog();
                current.cutTail();
                T result = change.get();
                rewriteIfLong(current);
                return result;
            });
        } catch (ClosedChannelException e) {
            throw new StoreException(StoreError.CLOSED, "this store was closed", e);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void refresh() {
        reading.lock();
        try {
            catchUp();
        } catch (IOException e) {
            throw failed(e);
        } finally {
            reading.unlock();
        }
    }

    @Override
    public Backoff pace() {
        return Backoff.polling();
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    private <T> T underFileLock(Work<T> work) throws IOException {
        long deadline = System.nanoTime() + lockLimit.toNanos();
        try {
            if (!writing.tryLock(lockLimit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw held();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        try (FileLock _ = acquire(deadline)) {
            reading.lock();
            try {
                return work.run();
            } finally {
                reading.unlock();
            }
        } finally {
            writing.unlock();
        }
    }

    private FileLock acquire(long deadline) throws IOException {
        Backoff pace = Backoff.polling();
        while (true) {
            FileLock lock = tryLock();
            if (lock != null) {
                return lock;
            }
            if (System.nanoTime() - deadline >= 0) {
                throw held();
            }
            LockSupport.parkNanos(pace.nextNanos());
            if (Thread.interrupted()) {
                throw interrupted(null);
            }
        }
    }

    private @Nullable FileLock tryLock() throws IOException {
        try {
            return lockFile.getChannel().tryLock();
        } catch (OverlappingFileLockException _) {
            // Other code in this process locked the file, without asking this class.
            return null;
        }
    }

    private void catchUp() throws IOException {
        requireLog().readNew(table::replay);
        if (folder.hasMovedOn(number)) {
            // Nothing is written to the old log any more: this is all of it.
            requireLog().readNew(table::replay);
            moveOn();
        }
    }

    private void moveOn() throws IOException {
        Backoff pace = Backoff.polling();
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            long newest = folder.newest();
            try {
                if (newest > 0) {
                    moveTo(newest, LogFile.open(folder.log(newest)));
                    return;
                }
            } catch (FileNotFoundException _) {
                // Written anew once more between the two looks, so there is a still newer one.
            }
            // A list of files that change meanwhile need not be complete.
            LockSupport.parkNanos(pace.nextNanos());
        }
        StoreException gone = new StoreException(StoreError.LOST, "the folder of the store is gone: " + folder.path());
        table.end(gone);
        synchronized (OPEN) {
            // A store in a new folder of that name begins anew.
            OPEN.remove(folder.path(), this);
        }
        throw gone;
    }

    private void moveTo(long newest, LogFile next) throws IOException {
        Map<String, byte[]> now = new HashMap<>();
        next.readNew((key, value) -> {
            if (value == null) {
                now.remove(key);
            } else {
                now.put(key, value);
            }
        });
        Map<String, byte[]> before = table.snapshot();
        before.keySet().stream().filter(key -> !now.containsKey(key)).forEach(key -> table.replay(key, null));
        now.forEach((key, value) -> {
            if (!Arrays.equals(before.get(key), value)) {
                table.replay(key, value);
            }
        });
        if (log != null) {
            log.close();
        }
        log = next;
        number = newest;
    }

    private void append(String key, byte @Nullable [] value) {
        try {
            requireLog().append(key, value);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void rewriteIfLong(LogFile current) throws IOException {
        if (current.position() < Math.max(LEAST_BEFORE_REWRITE, 4 * table.totalBytes())) {
            return;
        }
        LogFile.write(folder.draft(), table.snapshot());
        folder.publishDraft(number + 1);
        Files.deleteIfExists(folder.log(number));
        moveTo(number + 1, LogFile.open(folder.log(number + 1)));
    }

    private LogFile requireLog() {
        if (log == null) {
            throw new StoreException(StoreError.CLOSED, "this store was closed");
        }
        return log;
    }

    private StoreException held() {
        return new StoreException(
                StoreError.LIMIT_EXCEEDED,
                "another process holds the lock of the store for more than " + lockLimit.toMillis() + " ms: "
                        + folder.lockFile());
    }

    private static StoreException interrupted(@Nullable InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new StoreException(StoreError.INTERRUPTED, "interrupted while waiting for the lock of the store", cause);
    }

    private static StoreException failed(IOException cause) {
        return new StoreException(
                StoreError.FILE_FAILED, "cannot read or write the files of the store: " + cause.getMessage(), cause);
    }
}
