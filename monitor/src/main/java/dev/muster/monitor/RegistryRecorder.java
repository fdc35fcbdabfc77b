// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.RegistryDocument;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Writes registries, one on each line, as [RegistryRecording] reads them: a document now and then, and between
/// documents only what changed since the line before, as `{"delta":1,"changes":{…}}`. Each line is handed over whole,
/// so that a reader never waits for half of one. After a write that failed nothing more is written. Safe to share
/// between
/// threads; the opener closes it.
///
/// @since 0.2
public final class RegistryRecorder implements AutoCloseable {
    /// Lines from one document to the next: what a damaged line costs at most.
    private static final int DOCUMENT_EVERY = 300;

    private final OutputStream stream;
    /// The document of the line before, and the number of differences since the last whole one.
    private @Nullable JsonObject before;

    private int deltas;
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
            stream.write((line(RegistryDocument.write(registry)) + "\n").getBytes(StandardCharsets.UTF_8));
            stream.flush();
            lines++;
        } catch (IOException e) {
            failure = String.valueOf(e.getMessage());
        }
    }

    private String line(String document) {
        JsonObject last = before;
        JsonObject now = RegistryRecording.facts(JsonValue.parse(document));
        before = now;
        Optional<JsonValue> changes =
                last == null || deltas + 1 >= DOCUMENT_EVERY ? Optional.empty() : JsonDelta.between(last, now);
        deltas = changes.isPresent() ? deltas + 1 : 0;
        return changes.isEmpty()
                ? document
                : JsonObject.builder()
                        .put(RegistryRecording.DELTA, deltas)
                        .put(RegistryRecording.CHANGES, changes.get())
                        .build()
                        .toText();
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
