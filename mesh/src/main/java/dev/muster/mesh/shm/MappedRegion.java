// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.shm;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.shm.RoundWait.Lifeline;
import dev.muster.mesh.store.Secret;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// Memory shared by processes of one host through a file that all map: the engine `shm`.
///
/// The first member makes the file, the others open it by the path that they are told, and when all have it the file is
/// deleted: the memory lives on until the last process lets go of it, and nothing is left behind by processes that are
/// killed.
public final class MappedRegion {
    /// Two slots of two members and what they copy stay in the second-level cache of most processors.
    static final int SLOT_BYTES = 256 << 10;

    /// The prefix of file names.
    private static final String NAME = "muster-";

    private static final String ENDING = ".mesh";
    private static final int NAME_BYTES = 8;

    private static final int ZEROS_BYTES = 1 << 20;
    private static final int KIB = 10;

    private MappedRegion() {}

    /// A name for the file of a group in a directory that lies in memory, which is not to be guessed.
    public static Path choose(Path directory) {
        return directory.resolve(NAME + HexFormat.of().formatHex(Secret.randomBytes(NAME_BYTES)) + ENDING);
    }

    /// Reports whether this system has memory of that kind at all: a folder whose files belong to one user. macOS and
    /// Windows have none.
    public static boolean isPossible(Path directory) {
        return Files.isDirectory(directory)
                && directory.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /// Makes the file of a group, which only this user may open.
    ///
    /// @throws GroupException if this system has no such memory, or no room for it
    public static void create(Path file, GroupIdentity group) {
        tryCreate(file, group).ifPresent(obstacle -> {
            throw new GroupException(GroupError.UNAVAILABLE, "group " + group.name() + ": " + obstacle);
        });
    }

    /// Makes the file of a group, or returns what keeps it from being made, for the middle of a sentence.
    static Optional<String> tryCreate(Path file, GroupIdentity group) {
        Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent());
        if (!isPossible(directory)) {
            return Optional.of(without(directory));
        }
        RegionLayout layout = RegionLayout.of(group.size(), SLOT_BYTES);
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            fill(file, layout);
            format(file, layout, group);
            return Optional.empty();
        } catch (IOException e) {
            delete(file);
            return Optional.of(obstacle(directory, layout.bytes(), e));
        }
    }

    /// Returns the message where shared memory cannot be used.
    static String without(Path directory) {
        return "this system does not provide shared memory (folder not found: " + directory + ")";
    }

    /// Writes every byte once. A file system without room says so now; later, mapped, it would end the process.
    private static void fill(Path file, RegionLayout layout) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS_BYTES);
            long left = layout.bytes();
            while (left > 0) {
                zeros.clear().limit((int) Math.min(left, ZEROS_BYTES));
                left -= channel.write(zeros);
            }
        }
    }

    private static void format(Path file, RegionLayout layout, GroupIdentity group) throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, layout.bytes(), arena);
            SharedRegion.format(memory, layout, group.incarnation());
        }
    }

    private static String obstacle(Path directory, long bytes, IOException e) {
        String reason = e instanceof FileSystemException known && known.getReason() != null
                ? known.getReason()
                : String.valueOf(e.getMessage());
        String needed = "shared memory of " + (bytes >> KIB) + " KiB in " + directory + " cannot be allocated: ";
        try {
            FileStore store = Files.getFileStore(directory);
            if (store.getUsableSpace() < bytes) {
                return needed + directory + " is full (" + (store.getUsableSpace() >> KIB) + " of "
                        + (store.getTotalSpace() >> KIB) + " KiB are free)";
            }
        } catch (IOException unknown) {
            e.addSuppressed(unknown);
        }
        return needed + reason;
    }

    /// Deletes the file when all members have it. A file that is already gone is not a failure.
    public static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new GroupException(GroupError.UNAVAILABLE, "shared memory " + file + " cannot be deleted", e);
        }
    }

    /// Makes the memory of a world as its first rank would, and lets go of it.
    ///
    /// @return the size in bytes
    /// @throws GroupException if it cannot be had
    public static long tryOut(Path directory, int ranks, int processors) {
        GroupIdentity world = GroupIdentity.world(ranks, 0, 1);
        Path file = choose(directory);
        create(file, world);
        try {
            open(file, world, processors).close();
            return RegionLayout.of(ranks, SLOT_BYTES).bytes();
        } finally {
            delete(file);
        }
    }

    /// The files of groups in a directory that were last written before that time: of ranks that ended while they
    /// joined.
    ///
    /// @throws IOException if the directory cannot be listed
    public static List<Path> listAbandoned(Path directory, Instant before) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith(NAME))
                    .filter(file -> isOlder(file, before))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isOlder(Path file, Instant than) {
        try {
            return Files.getLastModifiedTime(file).toInstant().isBefore(than);
        } catch (IOException e) {
            return false; // it is gone
        }
    }

    /// The engine of a member over the file of its group.
    ///
    /// @param processors number of processors that the members share
    public static Engine open(Path file, GroupIdentity group, int processors) {
        RegionLayout layout = RegionLayout.of(group.size(), SLOT_BYTES);
        Arena arena = Arena.ofShared();
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena);
                SharedRegion.check(memory, layout, group);
                LockedLifeline lifeline = LockedLifeline.hold(channel, group);
                SharedRegion region = new SharedRegion(layout, memory);
                return new SharedMemoryEngine("shm", group, region, lifeline, processors, () -> {
                    lifeline.close();
                    arena.close();
                });
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            arena.close();
            throw new GroupException(
                    GroupError.UNAVAILABLE,
                    "group " + group.name() + ": shared memory " + file + " cannot be opened: " + e.getMessage(),
                    e);
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    /// Each member holds a lock on one byte of the group's file. The kernel frees it when the process ends, however
    /// it ends, also across containers that do not see each other's process numbers.
    private static final class LockedLifeline implements Lifeline {
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
                throw new IOException("rank " + group.worldRank(group.rank()) + " already exists");
            }
            return new LockedLifeline(channel);
        }

        @Override
        public boolean isCut(int rank) {
            try (FileLock lock = channel.tryLock(FIRST + rank, 1, false)) {
                return lock != null;
            } catch (IOException e) {
                return false; // a missing answer proves nothing; the limit still holds
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
}
