package dev.muster.detect.host;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Reads the files of this machine, below a root folder. Links may not lead out of that folder.
///
/// @param root `/`, or the root of another tree
/// @since 0.1
public record LiveFiles(Path root) implements HostFiles {
    @Override
    public FileOutcome read(String path, int maxBytes) {
        File file = root.resolve(path.substring(1)).toFile();
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
            return file.isDirectory() ? new FileOutcome.Unreadable("is a folder") : new FileOutcome.NotPermitted();
        } catch (IOException e) {
            return new FileOutcome.Unreadable(String.valueOf(e.getMessage()));
        }
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
