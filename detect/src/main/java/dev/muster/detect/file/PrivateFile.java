// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// A small file in a folder of the user's own that no other user may have written. Immutable and safe to share between
/// threads and processes: a reader sees the whole of one writer's content.
public final class PrivateFile {
    private static final String FOLDER_MODE = "rwx------";
    private static final String FILE_MODE = "rw-------";
    private static final Path THIS_PROCESS = Path.of("/proc/self");
    private static final String USER_NUMBER = "unix:uid";

    private final Path folder;
    private final String name;

    private PrivateFile(Path folder, String name) {
        this.folder = folder;
        this.name = name;
    }

    /// A file that may or may not be there.
    ///
    /// @param folder the folder, made on the first write
    /// @param name the file's name in it
    /// @throws IllegalArgumentException if the name leads out of the folder
    public static PrivateFile of(Path folder, String name) {
        if (name.isEmpty() || name.startsWith(".") || name.contains("/") || name.contains("\\")) {
            throw new IllegalArgumentException("not a file name: '" + name + "'");
        }
        return new PrivateFile(folder, name);
    }

    /// Reads the file; nothing where there is none.
    ///
    /// @param maxBytes the most that is read
    /// @throws IOException if it cannot be read, is larger, or another user could have written it
    public Optional<Content> read(int maxBytes) throws IOException {
        Path file = folder.resolve(name);
        try {
            requirePrivate(folder, attributes(folder).isDirectory());
            BasicFileAttributes attributes = attributes(file);
            // A pipe in its place would block who opens it.
            requirePrivate(file, attributes.isRegularFile());
            byte[] bytes = readAtMost(file, maxBytes);
            return Optional.of(new Content(bytes, attributes.lastModifiedTime().toInstant()));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    /// Replaces the file at once, readable and writable for the user alone.
    ///
    /// @throws IOException if it cannot be written, or others may write to the folder
    public void write(byte[] bytes) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(folder, mode(FOLDER_MODE));
        }
        requirePrivate(folder, attributes(folder).isDirectory());
        Path draft = Files.createTempFile(folder, name + ".", ".tmp", mode(FILE_MODE));
        try {
            Files.write(draft, bytes);
            Files.move(draft, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            Files.deleteIfExists(draft);
            throw e;
        }
    }

    /// Deletes the file, if it is there; a link is deleted, not what it leads to.
    ///
    /// @throws IOException if it cannot be deleted
    public void delete() throws IOException {
        Files.deleteIfExists(folder.resolve(name));
    }

    private static byte[] readAtMost(Path file, int maxBytes) throws IOException {
        try (InputStream stream = Channels.newInputStream(
                Files.newByteChannel(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            if (Files.size(file) > maxBytes) {
                throw new IOException(file + " has more than " + maxBytes + " bytes");
            }
            byte[] bytes = stream.readNBytes(maxBytes);
            if (stream.read() >= 0) {
                throw new IOException(file + " has more than " + maxBytes + " bytes");
            }
            return bytes;
        }
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static void requirePrivate(Path path, boolean isRightKind) throws IOException {
        if (!isRightKind) {
            throw new IOException(path + " is a link, or not a regular file or folder as expected");
        }
        if (!isOwn(path)) {
            throw new IOException(path + " belongs to another user");
        }
        PosixFileAttributeView view =
                Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        // On Windows, which has no such view, the folders of a user are closed to others by inheritance.
        if (view != null) {
            Set<PosixFilePermission> permissions = view.readAttributes().permissions();
            if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                    || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
                throw new IOException(path + " is writable by others than its owner");
            }
        }
    }

    /// By number where the kernel tells the process's own: names can be missing in containers.
    private static boolean isOwn(Path path) throws IOException {
        if (Files.exists(THIS_PROCESS)) {
            return Files.getAttribute(path, USER_NUMBER, LinkOption.NOFOLLOW_LINKS)
                    .equals(Files.getAttribute(THIS_PROCESS, USER_NUMBER));
        }
        String owner = Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName();
        return ProcessHandle.current().info().user().filter(owner::equals).isPresent();
    }

    private FileAttribute<?>[] mode(String permissions) {
        return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /// The content of the file.
    public static final class Content {
        private final byte[] bytes;
        private final Instant modified;

        Content(byte[] bytes, Instant modified) {
            this.bytes = bytes;
            this.modified = modified;
        }

        /// The bytes, a copy.
        public byte[] bytes() {
            return bytes.clone();
        }

        /// Returns the time at which the file was written, by the clock of its file system.
        public Instant modified() {
            return modified;
        }
    }
}
