// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;

/// Decides whether a program or library can be trusted: only its owner may have been able to change it.
final class TrustedFile {
    /// The bits of setuid and setgid.
    private static final int SET_ID = 0_6000;
    private static final Path THIS_PROCESS = Path.of("/proc/self");
    private static final String OWNER = "unix:uid";
    private static final Integer ROOT = 0;
    private static final Integer OVERFLOW_USER = 65534;

    private TrustedFile() {}

    /// Returns the reason not to trust the file; nothing if it is trusted.
    static Optional<String> findObjection(Path file) {
        try {
            Path real = file.toRealPath();
            if (!Files.isRegularFile(real)) {
                return Optional.of(file + " is not a regular file");
            }
            Path folder = real.getParent();
            if (runsAsAnother(real)) {
                return Optional.of(file + " would run with the rights of another user or group (setuid, setgid)");
            }
            if (isForeign(real) || (folder != null && isForeign(folder))) {
                return Optional.of(file + " belongs to another user, or its folder does");
            }
            if (isWritable(real, true)) {
                return Optional.of(file + " is writable by others than its owner");
            }
            return folder != null && isWritable(folder, false)
                    ? Optional.of(file + " is in a world-writable folder")
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.of(file + " cannot be checked: " + e.getMessage());
        }
    }

    /// No vendor's tool needs it, and its output would be that of a privileged program.
    private static boolean runsAsAnother(Path file) throws IOException {
        return file.getFileSystem().supportedFileAttributeViews().contains("unix")
                && Files.getAttribute(file, "unix:mode") instanceof Integer mode
                && (mode & SET_ID) != 0;
    }

    /// The owner can change the file: only root and the user who runs this program are trusted. In a user namespace
    /// root
    /// of the host shows as the overflow user.
    private static boolean isForeign(Path path) throws IOException {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("unix") || !Files.exists(THIS_PROCESS)) {
            return false;
        }
        Object owner = Files.getAttribute(path, OWNER);
        return !owner.equals(ROOT)
                && !owner.equals(Files.getAttribute(THIS_PROCESS, OWNER))
                && !(owner.equals(OVERFLOW_USER) && isInUserNamespace());
    }

    private static boolean isInUserNamespace() throws IOException {
        Path map = THIS_PROCESS.resolve("uid_map");
        return Files.exists(map) && !Files.readString(map).strip().matches("0\\s+0\\s+4294967295");
    }

    /// On Debian the group `staff` owns /usr/local: a folder's group is trusted, a file's is not.
    private static boolean isWritable(Path path, boolean byGroup) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (view == null) {
            // Windows: the folders that are searched are protected by the system.
            return false;
        }
        Set<PosixFilePermission> permissions = view.readAttributes().permissions();
        return permissions.contains(PosixFilePermission.OTHERS_WRITE)
                || (byGroup && permissions.contains(PosixFilePermission.GROUP_WRITE));
    }
}
