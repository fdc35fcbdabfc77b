// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.file;

import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetSourceContext;
import dev.muster.fleet.FleetSourceProvider.SourceOption;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A file with a bearer token, which an option names.
public final class TokenFile {
    private static final int MAX_BYTES = 64 << 10;

    private TokenFile() {}

    /// The token; blank if the option was not given.
    ///
    /// @throws FleetException if the file cannot be read
    public static String read(FleetSourceContext context, SourceOption option) {
        return context.option(option).map(TokenFile::read).orElse("");
    }

    private static String read(String file) {
        try (InputStream stream = Files.newInputStream(Path.of(file))) {
            byte[] bytes = stream.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new FleetException("file '" + file + "' is larger than " + (MAX_BYTES >> 10) + " KiB");
            }
            return new String(bytes, StandardCharsets.UTF_8).strip();
        } catch (NoSuchFileException e) {
            throw new FleetException("file '" + file + "' not found", e);
        } catch (IOException e) {
            throw new FleetException("file '" + file + "' cannot be read: " + e.getMessage(), e);
        }
    }
}
