// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import java.util.Arrays;
import java.util.Locale;

/// The state of a call of a group.
///
/// @since 0.1
public enum CallState {
    /// Earlier calls come first.
    QUEUED,
    /// It is under way.
    RUNNING,
    /// It ended well.
    DONE,
    /// It failed.
    FAILED,
    /// It was taken back before it began.
    CANCELLED;

    /// Returns the word in documents.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the state of that word; an unknown one has failed.
    static CallState parse(String text) {
        return Arrays.stream(values())
                .filter(state -> state.text().equals(text))
                .findFirst()
                .orElse(FAILED);
    }
}
