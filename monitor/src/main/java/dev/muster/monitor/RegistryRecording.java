// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.RegistryDocument;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/// Reads what `watch -o json` and `top --record` wrote: a registry document on each line. Lines are read as they are
/// asked for, so a recording may be longer than memory. Confined to one thread; the opener closes it.
///
/// @since 0.2
public final class RegistryRecording implements AutoCloseable {
    private static final int MOST_BLANK_LINES = 1_000;

    private final InputStream stream;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long number;

    private RegistryRecording(InputStream stream) {
        this.stream = stream;
    }

    /// Reads from a stream, which is closed with it.
    public static RegistryRecording of(InputStream stream) {
        return new RegistryRecording(new BufferedInputStream(stream));
    }

    /// The registry on the next line that is not blank; nothing at the end.
    ///
    /// @throws RecordingException if the line is too long or no registry; the next call reads the line behind it
    /// @throws IOException if the stream cannot be read
    public Optional<AcceleratorRegistry> next() throws IOException {
        for (int blank = 0; readLine(); blank++) {
            byte[] bytes = line.toByteArray();
            if (!isBlank(bytes)) {
                return Optional.of(parse(bytes));
            }
            if (blank > MOST_BLANK_LINES) {
                throw new RecordingException(number, "more than " + MOST_BLANK_LINES + " blank lines before it");
            }
        }
        return Optional.empty();
    }

    /// The number of the line that was read last, from 1.
    public long line() {
        return number;
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }

    private AcceleratorRegistry parse(byte[] bytes) {
        try {
            return RegistryDocument.read(bytes);
        } catch (DocumentException e) {
            throw new RecordingException(number, String.valueOf(e.getMessage()));
        }
    }

    /// Reads a line, however long, but keeps no more of it than a registry may have.
    private boolean readLine() throws IOException {
        line.reset();
        long length = 0;
        int next = stream.read();
        if (next < 0) {
            return false;
        }
        number++;
        for (; next >= 0 && next != '\n'; next = stream.read()) {
            if (length++ < RegistryDocument.MAX_BYTES) {
                line.write(next);
            }
        }
        if (length > RegistryDocument.MAX_BYTES) {
            throw new RecordingException(number, "it has more than " + RegistryDocument.MAX_BYTES + " bytes");
        }
        return true;
    }

    private static boolean isBlank(byte[] bytes) {
        for (byte each : bytes) {
            if (each != ' ' && each != '\t' && each != '\r') {
                return false;
            }
        }
        return true;
    }
}
