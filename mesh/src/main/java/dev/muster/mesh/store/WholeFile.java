package dev.muster.mesh.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// A file that others see whole or not at all.
///
/// @since 0.1
public final class WholeFile {
    private WholeFile() {}

    /// Whether files can be written in a folder, which is made if it is not there.
    public static boolean canWriteIn(Path folder) {
        try {
            Files.createDirectories(folder);
            return Files.isWritable(folder);
        } catch (IOException e) {
            return false;
        }
    }

    /// Writes a text to a file of a folder, which is made if it is not there; an older file of that name is replaced.
    public static void write(Path folder, String name, String text) throws IOException {
        Files.createDirectories(folder);
        Path part = folder.resolve(name + ".part");
        Files.writeString(part, text, StandardCharsets.UTF_8);
        Files.move(part, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
