// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.RegistryDocument;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Writes registries, a document on each line, as [RegistryRecording] reads them. Each line is handed over whole, so
/// that a reader never waits for half of one. After a write that failed nothing more is written. Safe to share between
/// threads; the opener closes it.
///
/// @since 0.2
public final class RegistryRecorder implements AutoCloseable {
    private final OutputStream stream;
    private @Nullable String failure;
    private long lines;
    /// A document is not even made then.
    private boolean discards;

    private RegistryRecorder(OutputStream stream) {
        this.stream = stream;
    }

    /// Writes to a stream, which is closed with it.
    public static RegistryRecorder of(OutputStream stream) {
        return new RegistryRecorder(stream);
    }

    /// Writes nothing anywhere.
    public static RegistryRecorder toNowhere() {
        RegistryRecorder recorder = new RegistryRecorder(OutputStream.nullOutputStream());
        recorder.discards = true;
        return recorder;
    }

    /// Adds a line.
    public synchronized void write(AcceleratorRegistry registry) {
        if (discards || failure != null) {
            return;
        }
        try {
            stream.write((RegistryDocument.write(registry) + "\n").getBytes(StandardCharsets.UTF_8));
            stream.flush();
            lines++;
        } catch (IOException e) {
            failure = String.valueOf(e.getMessage());
        }
    }

    /// The number of written lines.
    public synchronized long lines() {
        return lines;
    }

    /// The reason for a failed write, if one failed.
    public synchronized Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public synchronized void close() throws IOException {
        stream.close();
    }
}
