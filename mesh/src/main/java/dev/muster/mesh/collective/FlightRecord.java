package dev.muster.mesh.collective;

import java.util.Arrays;
import java.util.Locale;

/// One call of a group as it was recorded.
///
/// @param sequence its number within the group, from 1
/// @param what what was called: `all-reduce of 1,000 float32, sum`
/// @param startNanos when it began, by the clock of [System#nanoTime()] of that process
/// @param nanos how long it took; -1 while it runs
/// @param state how it ended
/// @since 0.1
public record FlightRecord(long sequence, String what, long startNanos, long nanos, State state) {
    /// How a call stands.
    public enum State {
        /// It is under way.
        RUNNING,
        /// It ended well.
        DONE,
        /// It failed.
        FAILED;

        /// The word in documents.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// The state of that word; one that nobody knows has failed.
        public static State parse(String text) {
            return Arrays.stream(values())
                    .filter(state -> state.text().equals(text))
                    .findFirst()
                    .orElse(FAILED);
        }
    }
}
