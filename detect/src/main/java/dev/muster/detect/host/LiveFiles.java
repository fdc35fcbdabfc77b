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
/// @param root `/`, or the root of another tree
/// @since 0.1
public record LiveFiles(Path root) implements HostFiles {
    @Override
    public FileOutcome read(String path, int maxBytes) {
        File file = below(path);
        if (!file.exists()) {
            return new FileOutcome.Missing();
        }
        // Files of the kernel claim a size of 0 or 4096: only reading tells.
        try (InputStream stream = new FileInputStream(jailed(file))) {
            byte[] bytes = stream.readNBytes(maxBytes + 1);
            return bytes.length > maxBytes
                    ? new FileOutcome.Unreadable("more than " + maxBytes + " bytes")
                    : new FileOutcome.Content(new String(bytes, StandardCharsets.UTF_8));
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
        try {
            Path real = below(path).toPath().toRealPath();
            if (root.getNameCount() == 0) {
                return Optional.of(real.toString());
            }
            Path realRoot = root.toRealPath();
            return real.startsWith(realRoot) ? Optional.of("/" + realRoot.relativize(real)) : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private File below(String path) {
        return root.getNameCount() == 0
                ? new File(path)
                : root.resolve(path.substring(1)).toFile();
    }

    /// The file itself below `/`; below another root, only if its real place is there too.
    private File jailed(File file) throws IOException {
        if (root.getNameCount() == 0) {
            return file;
        }
        Path real = file.toPath().toRealPath();
        if (!real.startsWith(root.toRealPath())) {
            throw new IOException("leads out of the root");
        }
        return real.toFile();
    }
}
