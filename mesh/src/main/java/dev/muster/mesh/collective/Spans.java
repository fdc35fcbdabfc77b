package dev.muster.mesh.collective;

import java.time.Duration;
import java.util.Locale;

/// Spans of time for people.
final class Spans {
    private Spans() {}

    static String text(Duration span) {
        return span.toMillis() < 1000
                ? span.toMillis() + " ms"
                : String.format(Locale.ROOT, span.toMillis() % 1000 == 0 ? "%.0f s" : "%.1f s", span.toMillis() / 1e3);
    }
}
