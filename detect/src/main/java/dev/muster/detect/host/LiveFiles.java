// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import dev.muster.core.text.NaturalOrder;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Reads the files of this machine. Where it can it does without `java.nio.file`, whose first use takes a
/// millisecond of a short command.
final class LiveFiles implements HostFiles {
    private static final int USUAL_BYTES = 4096;

    @Override
    public FileOutcome read(String path, int maxBytes) {
        File file = new File(path);
        // One look is enough for a file of the kernel's; to open a pipe would wait for its writer.
        if (!file.isFile()) {
            return notRead(file, maxBytes);
        }
        try (InputStream stream = new FileInputStream(file)) {
            return content(stream, maxBytes);
        } catch (FileNotFoundException _) {
            // A device that was pulled takes its files along.
            return file.exists() ? new FileOutcome.NotPermitted() : new FileOutcome.Missing();
        } catch (IOException e) {
            return new FileOutcome.Unreadable(String.valueOf(e.getMessage()));
        }
    }

    private static FileOutcome notRead(File file, int maxBytes) {
        if (file.isDirectory()) {
            return new FileOutcome.Unreadable("is a folder");
        }
        if (!file.exists()) {
            return new FileOutcome.Missing();
        }
        return file.getPath().equals(KernelLog.PATH) ? KernelLog.read(maxBytes) : FileOutcome.Unreadable.notRegular();
    }

    /// Files of the kernel claim a size of 0 or 4096: only reading tells. The stream's own methods ask for it.
    private static FileOutcome content(InputStream stream, int maxBytes) throws IOException {
        byte[] bytes = new byte[Math.min(maxBytes, USUAL_BYTES) + 1];
        int length = 0;
        for (int count = 0; count >= 0; count = stream.read(bytes, length, bytes.length - length)) {
            length += count;
            if (length > maxBytes) {
                return FileOutcome.Unreadable.tooLong(maxBytes);
            }
            if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(maxBytes + 1L, 2L * length));
            }
        }
        return new FileOutcome.Content(new String(bytes, 0, length, StandardCharsets.UTF_8));
    }

    @Override
    public FolderOutcome list(String path) {
        File folder = new File(path);
        if (!folder.isDirectory()) {
            return folder.exists() ? new FolderOutcome.Unreadable("is not a folder") : new FolderOutcome.Missing();
        }
        String[] names = folder.list();
        if (names == null) {
            return folder.exists() ? new FolderOutcome.Unreadable("permission denied") : new FolderOutcome.Missing();
        }
        if (names.length > MAX_NAMES) {
            return new FolderOutcome.Unreadable("more than " + MAX_NAMES + " names");
        }
        Arrays.sort(names, NaturalOrder.INSTANCE);
        return new FolderOutcome.Names(List.of(names));
    }

    @Override
    public boolean exists(String path) {
        return new File(path).exists();
    }

    @Override
    public Optional<String> findLink(String path) {
        Path link = new File(path).toPath();
        try {
            return Files.isSymbolicLink(link)
                    ? Optional.of(Files.readSymbolicLink(link).toString())
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<String> findRealPath(String path) {
        File file = new File(path);
        try {
            return file.exists() ? Optional.of(file.getCanonicalPath()) : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
