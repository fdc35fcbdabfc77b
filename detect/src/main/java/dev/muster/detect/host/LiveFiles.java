package dev.muster.detect.host;

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

/// Reads the files of this machine, below a root folder. Links may not lead out of that folder.
///
/// Below `/` it does without `java.nio.file`, whose first use takes a millisecond of a short command.
///
/// @param root `/`, or the root of another tree
record LiveFiles(File root) implements HostFiles {
    private static final int USUAL_BYTES = 4096;

    /// All files of this machine.
    static LiveFiles ofThisMachine() {
        return new LiveFiles(new File("/"));
    }

    @Override
    public FileOutcome read(String path, int maxBytes) {
        File file = below(path);
        if (!file.exists()) {
            return new FileOutcome.Missing();
        }
        try (InputStream stream = new FileInputStream(jailed(file))) {
            return content(stream, maxBytes);
        } catch (FileNotFoundException _) {
            if (file.isDirectory()) {
                return new FileOutcome.Unreadable("is a folder");
            }
            // A device that was pulled takes its files along.
            return file.exists() ? new FileOutcome.NotPermitted() : new FileOutcome.Missing();
        } catch (IOException e) {
            return new FileOutcome.Unreadable(String.valueOf(e.getMessage()));
        }
    }

    /// Files of the kernel claim a size of 0 or 4096: only reading tells. The stream's own methods ask for it.
    private static FileOutcome content(InputStream stream, int maxBytes) throws IOException {
        byte[] bytes = new byte[Math.min(maxBytes, USUAL_BYTES) + 1];
        int length = 0;
        for (int count = 0; count >= 0; count = stream.read(bytes, length, bytes.length - length)) {
            length += count;
            if (length > maxBytes) {
                return new FileOutcome.Unreadable("more than " + maxBytes + " bytes");
            }
            if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(maxBytes + 1L, 2L * length));
            }
        }
        return new FileOutcome.Content(new String(bytes, 0, length, StandardCharsets.UTF_8));
    }

    @Override
    public FolderOutcome list(String path) {
        File folder = below(path);
        if (!folder.isDirectory()) {
            return folder.exists() ? new FolderOutcome.Unreadable("is no folder") : new FolderOutcome.Missing();
        }
        String[] names;
        try {
            names = jailed(folder).list();
        } catch (IOException e) {
            return new FolderOutcome.Unreadable(String.valueOf(e.getMessage()));
        }
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
        File file = below(path);
        if (!file.exists()) {
            return false;
        }
        try {
            jailed(file);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public Optional<String> findLink(String path) {
        Path link = below(path).toPath();
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
        File file = below(path);
        try {
            if (!file.exists()) {
                return Optional.empty();
            }
            String real = jailed(file).getCanonicalPath();
            return Optional.of(isWhole() ? real : "/" + relative(real));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private String relative(String real) throws IOException {
        return root.toPath().toRealPath().relativize(Path.of(real)).toString();
    }

    private boolean isWhole() {
        return root.getPath().equals("/");
    }

    private File below(String path) {
        return isWhole() ? new File(path) : new File(root, path);
    }

    /// The file itself below `/`; below another root, only if its real place is there too.
    private File jailed(File file) throws IOException {
        if (isWhole()) {
            return file;
        }
        Path real = file.toPath().toRealPath();
        if (!real.startsWith(root.toPath().toRealPath())) {
            throw new IOException("leads out of the root");
        }
        return real.toFile();
    }
}
