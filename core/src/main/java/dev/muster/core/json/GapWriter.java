package dev.muster.core.json;

import dev.muster.core.Gap;
import dev.muster.core.Reading;

/// Writes what could not be learned, in Muster's own form.
final class GapWriter {
    private final JsonWriter json;
    private final SourceTable sources;

    GapWriter(JsonWriter json, SourceTable sources) {
        this.json = json;
        this.sources = sources;
    }

    void write(Gap gap) {
        json.beginObject();
        switch (gap) {
            case Gap.ToolNotFound(String tool) -> gap("tool-not-found", "tool", tool);
            case Gap.ToolFailed(String tool, Reading<Integer> exitCode, String stderr) -> {
                gap("tool-failed", "tool", tool);
                json.key("stderr").string(stderr);
                new FactSheet(json, sources)
                        .put("exitCode", exitCode, code -> json.signed(code))
                        .end();
            }
            case Gap.TimedOut(String tool, double seconds) -> {
                gap("timed-out", "tool", tool);
                json.key("limitSeconds").number(seconds);
            }
            case Gap.Unparsable(String backend, String message) -> {
                gap("unparsable", "backend", backend);
                json.key("message").string(message);
            }
            case Gap.FileUnreadable(String path, String message) -> {
                gap("file-unreadable", "path", path);
                json.key("message").string(message);
            }
            case Gap.ProbeFailed(String probe, String message) -> {
                gap("probe-failed", "probe", probe);
                json.key("message").string(message);
            }
            case Gap.Conflict(String device, String message) -> {
                gap("conflict", "device", device);
                json.key("message").string(message);
            }
            case Gap.Unexplained(String source) -> gap("unexplained", "source", source);
        }
        json.endObject();
    }

    private void gap(String kind, String key, String value) {
        json.key("kind").string(kind);
        json.key(key).string(value);
    }
}
