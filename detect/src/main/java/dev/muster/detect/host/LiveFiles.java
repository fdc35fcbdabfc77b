package dev.muster.detect.host;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Reads the files of this machine, below a root folder.
///
/// @param root `/`, or the root of another tree
/// @since 0.1
public record LiveFiles(Path root) implements HostFiles {
    @Override
    public FileOutcome read(String path, int maxBytes) {
        Path file = root.resolve(path.substring(1));
        // Files of the kernel claim a size of 0 or 4096: only reading tells.
        try (InputStream stream = new FileInputStream(file.toFile())) {
            byte[] bytes = stream.readNBytes(maxBytes + 1);
            return bytes.length > maxBytes
                    ? new FileOutcome.Unreadable("more than " + maxBytes + " bytes")
                    : new FileOutcome.Content(new String(bytes, StandardCharsets.UTF_8));
        } catch (FileNotFoundException e) {
            return file.toFile().exists() ? new FileOutcome.Unreadable("permission denied") : new FileOutcome.Missing();
        } catch (IOException e) {
            return new FileOutcome.Unreadable(String.valueOf(e.getMessage()));
        }
    }
}
