// SPDX-License-Identifier: Apache-2.0
package dev.muster.server.socket;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;

/// A Unix socket that only its owner can open. Safe to share between threads.
///
/// The socket is created in a folder of mode 0700 and linked to its place once its mode is 0600, so that no other
/// user can connect in between. A file at its place is replaced only if it is a socket without a listener.
public final class SocketFile implements AutoCloseable {
    /// The kernel keeps 108 bytes, the last of which is zero, and Java leaves another one free.
    static final int MOST_BYTES = 106;

    private static final String DRAFT = "s";
    private static final int MOST_DRAFTS = 10;
    private static final int FORMAT = 0170000;
    private static final int SOCKET = 0140000;
    private static final String GIVE_ANOTHER = "; give another path with --listen unix:PATH";

    private final Path path;
    private final ServerSocketChannel channel;
    private final Object key;

    private SocketFile(Path path, ServerSocketChannel channel, Object key) {
        this.path = path;
        this.channel = channel;
        this.key = key;
    }

    /// Creates the file and listens there.
    ///
    /// @param backlog number of clients that may wait for acceptance
    /// @throws IOException with a sentence for people, if that cannot be
    public static SocketFile open(Path path, int backlog) throws IOException {
        checkLength(path);
        Path folder = draftFolder(path);
        Path draft = folder.resolve(DRAFT);
        ServerSocketChannel channel = null;
        boolean opened = false;
        try {
            channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            channel.bind(UnixDomainSocketAddress.of(draft), backlog);
            Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-------"));
            clear(path);
            Files.createLink(path, draft);
            SocketFile file = new SocketFile(path, channel, key(path).orElse(draft));
            opened = true;
            return file;
        } catch (FileAlreadyExistsException e) {
            throw new IOException(cannot(path) + "something else was just created there" + GIVE_ANOTHER, e);
        } catch (UnsupportedOperationException e) {
            throw new IOException(cannot(path) + "this system has no Unix sockets", e);
        } finally {
            if (!opened && channel != null) {
                channel.close();
            }
            Files.deleteIfExists(draft);
            Files.deleteIfExists(folder);
        }
    }

    private static String cannot(Path path) {
        return "cannot listen on unix:" + path + ": ";
    }

    private static void checkLength(Path path) throws IOException {
        Path name = path.getFileName();
        if (name == null) {
            throw new IOException(cannot(path) + "that is a folder" + GIVE_ANOTHER);
        }
        int bytes = Math.max(length(path), length(draft(path, 0).resolve(DRAFT)));
        if (bytes > MOST_BYTES) {
            // Without the path, which would push the rest out of sight.
            throw new IOException("the path of a Unix socket has at most " + MOST_BYTES + " bytes, and this would take "
                    + bytes + GIVE_ANOTHER);
        }
    }

    private static int length(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    private static Path draft(Path path, int number) {
        return path.resolveSibling("." + number);
    }

    /// Returns a folder beside the socket that other users cannot read.
    private static Path draftFolder(Path path) throws IOException {
        for (int number = 0; number < MOST_DRAFTS; number++) {
            try {
                return Files.createDirectory(
                        draft(path, number),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (FileAlreadyExistsException _) {
                // Another server starts there, or one was ended while starting.
            } catch (NoSuchFileException e) {
                throw new IOException(cannot(path) + "folder '" + path.getParent() + "' not found; create it first", e);
            } catch (IOException e) {
                throw new IOException(
                        cannot(path) + "no file can be created in that folder (" + reason(e) + ")" + GIVE_ANOTHER, e);
            } catch (UnsupportedOperationException e) {
                throw new IOException(cannot(path) + "this system has no Unix sockets", e);
            }
        }
        throw new IOException(cannot(path) + "folders of servers that were killed while starting exist there; delete '"
                + draft(path, 0) + "' to '" + draft(path, MOST_DRAFTS - 1) + "'");
    }

    private static String reason(IOException failure) {
        return failure.getClass().getSimpleName().equals("AccessDeniedException")
                ? "permission denied"
                : String.valueOf(failure.getMessage());
    }

    /// Deletes a socket that a server left behind, and nothing else.
    private static void clear(Path path) throws IOException {
        Optional<Object> before = key(path);
        if (before.isEmpty()) {
            return;
        }
        if (!isSocket(path)) {
            throw new IOException(
                    cannot(path) + "a file that is not a socket exists there, and is kept" + GIVE_ANOTHER);
        }
        if (isLive(path)) {
            throw new IOException(cannot(path) + "another server listens there; stop it, or give another path");
        }
        if (key(path).equals(before)) {
            Files.deleteIfExists(path);
        }
    }

    private static boolean isSocket(Path path) throws IOException {
        Object mode = Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return mode instanceof Integer bits && (bits & FORMAT) == SOCKET;
    }

    /// Reports whether a server listens at the socket. Does not wait.
    ///
    /// @throws IOException if that is not certain, as of another user's server, or a busy one
    private static boolean isLive(Path path) throws IOException {
        try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            client.configureBlocking(false);
            client.connect(UnixDomainSocketAddress.of(path));
            return true;
        } catch (ConnectException _) {
            return false;
        } catch (IOException e) {
            throw new IOException(
                    cannot(path) + "another server may listen there (" + reason(e) + "); stop it, or give another path",
                    e);
        }
    }

    /// Returns a key that identifies a file, also among files of the same name.
    private static Optional<Object> key(Path path) throws IOException {
        try {
            return Optional.ofNullable(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey());
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    public Path path() {
        return path;
    }

    public ServerSocketChannel channel() {
        return channel;
    }

    /// Stops listening, and deletes the file unless another one has taken its place.
    @Override
    public void close() throws IOException {
        channel.close();
        if (key(path).filter(now -> Objects.equals(now, key)).isPresent()) {
            Files.deleteIfExists(path);
        }
    }
}
