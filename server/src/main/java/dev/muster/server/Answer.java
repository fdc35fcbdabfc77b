// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// An answer before it is written: immutable, so that one may be sent to many clients; it is compressed once, for the
/// first client that accepts it.
final class Answer {
    /// Below this, the header of a compressed body outweighs what is saved.
    private static final int LEAST_COMPRESSED = 1024;

    private static final int MOST_COMPRESSED_NEAR = 1 << 16;

    private final int status;
    private final String contentType;
    private final byte[] body;
    private final String tag;
    private final Map<String, String> headers;
    private volatile byte @Nullable [] compressed;

    /// @param tag value of `ETag`, with its quotes; blank for none
    /// @param headers further headers
    Answer(int status, String contentType, byte[] body, String tag, Map<String, String> headers) {
        this.status = status;
        this.contentType = contentType;
        this.body = body;
        this.tag = tag;
        this.headers = Map.copyOf(headers);
    }

    static Answer json(String text, String tag) {
        return new Answer(200, "application/json", text.getBytes(StandardCharsets.UTF_8), tag, Map.of());
    }

    static Answer text(String text) {
        return new Answer(200, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8), "", Map.of());
    }

    int status() {
        return status;
    }

    String contentType() {
        return contentType;
    }

    String tag() {
        return tag;
    }

    Map<String, String> headers() {
        return headers;
    }

    byte[] body() {
        return body;
    }

    /// @param near true if the client is on this machine: there, compressing much takes longer than copying it
    boolean isWorthCompressing(boolean near) {
        return body.length >= LEAST_COMPRESSED
                && (!near || body.length <= MOST_COMPRESSED_NEAR)
                && !contentType.startsWith("image/png");
    }

    /// Returns the body by gzip.
    byte[] compressed() {
        byte[] known = compressed;
        if (known == null) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length / 4);
            try (GZIPOutputStream gzip = new FastGzip(bytes)) {
                gzip.write(body);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            known = bytes.toByteArray();
            compressed = known;
        }
        return known;
    }

    /// Fast rather than small: metrics are compressed again each second.
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(ByteArrayOutputStream bytes) throws IOException {
            super(bytes);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
