package dev.muster.cli;

import dev.muster.cli.render.Printable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Where a picture goes that somebody asked for.
final class PictureFile {
    private static final String STDOUT = "-";

    private PictureFile() {}

    static boolean isStandardOutput(String file) {
        return file.equals(STDOUT);
    }

    /// Writes a picture and says so, or prints it.
    ///
    /// @throws CommandException if it cannot be written
    static void write(String file, String picture, Session session) {
        if (isStandardOutput(file)) {
            session.print(picture);
            return;
        }
        try (OutputStream stream = new FileOutputStream(file)) {
            stream.write(picture.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new CommandException("cannot write the picture: " + Printable.of(String.valueOf(e.getMessage())));
        }
        session.note("muster: wrote " + Printable.of(file));
    }
}
