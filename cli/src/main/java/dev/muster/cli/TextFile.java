package dev.muster.cli;

import dev.muster.cli.render.Printable;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// A text file that an option names.
final class TextFile {
    /// A table of ten thousand rows has a megabyte.
    private static final int MAX_BYTES = 16 << 20;

    private TextFile() {}

    /// Reads the whole file.
    ///
    /// @throws CommandException if it cannot be read
    static String read(String name) {
        String shown = "'" + Printable.of(name) + "'";
        File file = new File(name);
        if (!file.isFile()) {
            throw new CommandException(file.exists() ? shown + " is no plain file" : "there is no file " + shown);
        }
        try (InputStream stream = new FileInputStream(file)) {
            byte[] bytes = stream.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new CommandException(shown + " is larger than " + (MAX_BYTES >> 20) + " MiB");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException _) {
            throw new CommandException(shown + " is no UTF-8 text");
        } catch (IOException e) {
            throw new CommandException("cannot read " + shown, e);
        }
    }
}
