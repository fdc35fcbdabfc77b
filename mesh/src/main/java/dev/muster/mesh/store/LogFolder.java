// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// The folder of a file store: its lock, its log, and the draft of the next one.
///
/// @param path its real path
record LogFolder(Path path) {
    private static final String LOG = "log-";
    private static final int MAX_DIGITS = 18;

    /// The folder, which is made for its user alone when it is not there.
    static LogFolder create(Path path) throws IOException {
        try {
            if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createDirectory(
                        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } else {
                Files.createDirectory(path);
            }
        } catch (FileAlreadyExistsException _) {
            requireOwn(path);
        }
        return new LogFolder(path.toRealPath());
    }

    /// Another process was faster, or it is an older one: both are fine where no other user may write to it.
    private static void requireOwn(Path path) throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
            if (permissions.contains(PosixFilePermission.OTHERS_WRITE)
                    || permissions.contains(PosixFilePermission.GROUP_WRITE)) {
                throw new IOException("others may write to " + path + "; remove their permission (chmod 700), or name a"
                        + " folder that does not exist yet");
            }
        }
    }

    Path lockFile() {
        return path.resolve("lock");
    }

    Path log(long number) {
        return path.resolve(LOG + number);
    }

    Path draft() {
        return path.resolve("draft");
    }

    /// Makes the draft the log of that number, all at once.
    void publishDraft(long number) throws IOException {
        Files.move(draft(), log(number), StandardCopyOption.ATOMIC_MOVE);
    }

    boolean hasMovedOn(long number) {
        return Files.exists(log(number + 1)) || !Files.exists(log(number));
    }

    /// The highest number of a log; 0 without any.
    long newest() throws IOException {
        long newest = 0;
        if (!Files.isDirectory(path)) {
            return newest;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path, LOG + "*")) {
            for (Path file : files) {
                newest = Math.max(newest, number(file.getFileName().toString().substring(LOG.length())));
            }
        }
        return newest;
    }

    private static long number(String text) {
        boolean digits =
                !text.isEmpty() && text.length() <= MAX_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Long.parseLong(text) : 0;
    }
}
