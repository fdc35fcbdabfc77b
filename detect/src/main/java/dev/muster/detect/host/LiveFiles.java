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
    public HostAnswer<String> read(String path, int maxBytes) {
        File file = new File(path);
        // One look is enough for a file of the kernel's; to open a pipe would wait for its writer.
        if (!file.isFile()) {
            return notRead(file, maxBytes);
        }
        try (InputStream stream = new FileInputStream(file)) {
            return content(stream, maxBytes);
        } catch (FileNotFoundException _) {
            // A device that was pulled takes its files along.
            return file.exists() ? new HostAnswer.NotPermitted<>("permission denied") : new HostAnswer.Missing<>();
        } catch (IOException e) {
            return new HostAnswer.Unreadable<>(String.valueOf(e.getMessage()));
        }
    }

    private static HostAnswer<String> notRead(File file, int maxBytes) {
        if (file.isDirectory()) {
            return new HostAnswer.Unreadable<>("is a folder");
        }
        if (!file.exists()) {
            return new HostAnswer.Missing<>();
        }
        return file.getPath().equals(KernelLog.PATH) ? KernelLog.read(maxBytes) : HostAnswer.Unreadable.notRegular();
    }

    /// Files of the kernel claim a size of 0 or 4096: only reading tells. The stream's own methods ask for it.
    private static HostAnswer<String> content(InputStream stream, int maxBytes) throws IOException {
        byte[] bytes = new byte[Math.min(maxBytes, USUAL_BYTES) + 1];
        int length = 0;
        for (int count = 0; count >= 0; count = stream.read(bytes, length, bytes.length - length)) {
            length += count;
            if (length > maxBytes) {
                return HostAnswer.Unreadable.tooLong(maxBytes);
            }
            if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(maxBytes + 1L, 2L * length));
            }
        }
        return new HostAnswer.Found<>(new String(bytes, 0, length, StandardCharsets.UTF_8));
    }

    @Override
    public HostAnswer<List<String>> list(String path) {
        File folder = new File(path);
        if (!folder.isDirectory()) {
            return folder.exists() ? new HostAnswer.Unreadable<>("is not a folder") : new HostAnswer.Missing<>();
        }
        String[] names = folder.list();
        if (names == null) {
            return folder.exists() ? new HostAnswer.Unreadable<>("permission denied") : new HostAnswer.Missing<>();
        }
        if (names.length > MAX_NAMES) {
            return new HostAnswer.Unreadable<>("more than " + MAX_NAMES + " names");
        }
        Arrays.sort(names, NaturalOrder.INSTANCE);
        return new HostAnswer.Found<>(List.of(names));
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
