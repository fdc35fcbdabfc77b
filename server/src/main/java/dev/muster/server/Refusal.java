// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.json.JsonValue.JsonObject;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// A refused request: a status, a code that programs can rely on, and a sentence. Never contains a stack trace, a
/// path of the host, or the client's input beyond short names.
final class Refusal extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final transient Map<String, String> headers;

    private Refusal(int status, String code, String message, Map<String, String> headers) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.headers = headers;
    }

    static Refusal of(int status, String code, String message) {
        return new Refusal(status, code, message, Map.of());
    }

    Refusal with(String name, String value) {
        return new Refusal(status, code, String.valueOf(getMessage()), Map.of(name, value));
    }

    static Refusal notFound(String what) {
        return of(404, "not-found", what);
    }

    static Refusal badRequest(String why) {
        return of(400, "bad-request", why);
    }

    /// Returns a refusal that asks to retry after some seconds.
    static Refusal busy(String code, String message, int seconds) {
        return of(503, code, message).with("Retry-After", String.valueOf(seconds));
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    Answer toAnswer() {
        return new Answer(status, "application/json", body(code, String.valueOf(getMessage())), "", headers);
    }

    static byte[] body(String code, String message) {
        return (JsonObject.document("error")
                                .put("code", code)
                                .put("message", message)
                                .build()
                                .toText()
                        + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }
}
