// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.option;

import dev.muster.core.json.DocumentException;
import dev.muster.plan.SavedPlan;
import dev.muster.report.plan.PlansText;
import dev.muster.report.text.Printable;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// A text file that an option names.
public final class TextFile {
    /// A table of ten thousand rows has a megabyte.
    private static final int MAX_BYTES = 16 << 20;

    private TextFile() {}

    /// Reads the whole file.
    ///
    /// @throws CommandException if it cannot be read
    public static String read(String name) {
        return read(name, MAX_BYTES);
    }

    /// Reads the whole file, which has so many bytes at most.
    ///
    /// @throws CommandException if it cannot be read
    public static String read(String name, int most) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(readBytes(name, most)))
                    .toString();
        } catch (CharacterCodingException _) {
            throw new CommandException("'" + Printable.of(name) + "' is not UTF-8 text");
        }
    }

    /// Reads the bytes of a whole file, which has so many at most.
    ///
    /// @throws CommandException if it cannot be read
    public static byte[] readBytes(String name, int most) {
        String shown = "'" + Printable.of(name) + "'";
        File file = new File(name);
        if (!file.isFile()) {
            throw new CommandException(
                    file.exists() ? shown + " is not a regular file" : "file " + shown + " not found");
        }
        try (InputStream stream = new FileInputStream(file)) {
            byte[] bytes = stream.readNBytes(most + 1);
            if (bytes.length > most) {
                throw new CommandException(shown + " is larger than " + (most >> 20) + " MiB");
            }
            return bytes;
        } catch (IOException e) {
            throw new CommandException("cannot read " + shown, e);
        }
    }

    /// Reads a plan that was saved with `--json`.
    ///
    /// @param otherwise an alternative to the file
    /// @throws CommandException if the file is none, or nothing fitted
    public static PlansText.Saved readPlan(String name, String otherwise) {
        String shown = "'" + Printable.of(name) + "'";
        try {
            return new PlansText.Saved(name, SavedPlan.parse(read(name)));
        } catch (DocumentException e) {
            throw new CommandException("cannot read a plan from " + shown, e);
        } catch (IllegalArgumentException e) {
            throw new CommandException(shown + " " + e.getMessage()
                    + "; save one with 'muster plan MODEL --json > FILE', or " + otherwise);
        }
    }
}
