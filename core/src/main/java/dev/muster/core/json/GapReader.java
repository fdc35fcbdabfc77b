package dev.muster.core.json;

import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads what could not be learned, in Muster's own form.
final class GapReader {
    private static final JsonKeys KEYS = JsonKeys.of(
            "kind",
            "tool",
            "stderr",
            "backend",
            "message",
            "path",
            "source",
            "probe",
            "limitSeconds",
            "exitCode",
            "provenance",
            "unknown",
            "device");
    private static final JsonKeys KINDS = JsonKeys.of(
            "tool-not-found",
            "tool-failed",
            "timed-out",
            "unparsable",
            "file-unreadable",
            "unexplained",
            "probe-failed",
            "conflict");

    private final JsonReader json;
    private final List<Provenance> sources;

    GapReader(JsonReader json, List<Provenance> sources) {
        this.json = json;
        this.sources = sources;
    }

    Gap read() {
        JsonStruct struct = JsonStruct.lenient(json, KEYS);
        FactReader facts = new FactReader(json, sources);
        int kind = 0;
        String[] texts = new String[KEYS.size()];
        Arrays.fill(texts, "");
        double limit = 0;
        @Nullable Integer exitCode = null;
        for (int field = struct.next(); field >= 0; field = struct.next()) {
            switch (field) {
                case 0 -> kind = json.nextName(KINDS);
                case 8 -> limit = json.nextDouble();
                case 9 -> exitCode = json.nextInt();
                case 10 -> facts.readProvenance();
                case 11 -> facts.readUnknown();
                default -> texts[field] = json.nextString();
            }
        }
        struct.require(0b1);
        return switch (kind) {
            case 0 -> new Gap.ToolNotFound(texts[1]);
            case 1 -> new Gap.ToolFailed(texts[1], facts.reading("exitCode", exitCode), texts[2]);
            case 2 -> new Gap.TimedOut(texts[1], limit);
            case 3 -> new Gap.Unparsable(texts[3], texts[4]);
            case 4 -> new Gap.FileUnreadable(texts[5], texts[4]);
            case 5 -> new Gap.Unexplained(texts[6]);
            case 6 -> new Gap.ProbeFailed(texts[7], texts[4]);
            case 7 -> new Gap.Conflict(texts[12], texts[4]);
            default -> throw new AssertionError(kind);
        };
    }
}
