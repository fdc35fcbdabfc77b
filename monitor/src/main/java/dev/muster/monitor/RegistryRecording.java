// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.RegistryDocument;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads what `watch -o json` and `top --record` wrote: on each line a registry document, or what changed since the
/// line
/// before. Lines are read as they are asked for, so a recording may be longer than memory. A last line without its end
/// is what a writer that died leaves, and is passed over. Confined to one thread; the opener closes it.
///
/// @since 0.2
public final class RegistryRecording implements AutoCloseable {
    /// The members of a line that has changes alone: its number since the last document, and the changes.
    static final String DELTA = "delta";

    static final String CHANGES = "changes";
    private static final Set<String> VERDICTS = Set.of("usable", "reasons");
    private static final byte[] DELTA_START = ("{\"" + DELTA + "\":").getBytes(StandardCharsets.US_ASCII);

    private static final int MOST_BLANK_LINES = 1_000;

    private final InputStream stream;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    /// The document of the line before; null where that was not read.
    private @Nullable JsonValue before;

    private long deltas;
    private boolean isCut;
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
                return read(bytes);
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

    private Optional<AcceleratorRegistry> read(byte[] bytes) {
        try {
            return Optional.of(parse(bytes));
        } catch (DocumentException | IllegalArgumentException e) {
            before = null;
            if (isCut) {
                return Optional.empty();
            }
            throw new RecordingException(number, String.valueOf(e.getMessage()));
        }
    }

    private AcceleratorRegistry parse(byte[] bytes) {
        boolean isDelta = Arrays.mismatch(bytes, DELTA_START) == DELTA_START.length;
        JsonValue last = before;
        if (!isDelta) {
            AcceleratorRegistry registry = RegistryDocument.read(bytes);
            before = facts(JsonValue.parse(bytes));
            deltas = 0;
            return registry;
        }
        JsonValue line = JsonValue.parse(bytes);
        boolean follows = line.find(DELTA).orElseThrow().equals(new JsonNumber(String.valueOf(deltas + 1)));
        if (last == null || !follows) {
            throw new IllegalArgumentException("the line that it changes is damaged or missing");
        }
        JsonValue changes =
                line.find(CHANGES).orElseThrow(() -> new IllegalArgumentException("it has no '" + CHANGES + "'"));
        JsonValue now = JsonDelta.apply(last, changes);
        AcceleratorRegistry registry = RegistryDocument.read(now.toText().getBytes(StandardCharsets.UTF_8));
        before = now;
        deltas++;
        return registry;
    }

    /// A registry document without the verdicts on its devices, which every reader makes anew of their facts.
    static JsonObject facts(JsonValue document) {
        Map<String, JsonValue> members = new LinkedHashMap<>(((JsonObject) document).members());
        members.computeIfPresent("devices", (_, devices) -> {
            List<JsonValue> bare = new ArrayList<>();
            for (JsonValue device : ((JsonArray) devices).items()) {
                Map<String, JsonValue> facts = new LinkedHashMap<>(((JsonObject) device).members());
                facts.keySet().removeAll(VERDICTS);
                bare.add(new JsonObject(facts));
            }
            return new JsonArray(bare);
        });
        return new JsonObject(members);
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
        isCut = next < 0;
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
