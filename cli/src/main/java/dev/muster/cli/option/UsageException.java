// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.option;

import dev.muster.core.text.NearestMatch;
import dev.muster.report.text.Printable;
import java.io.Serial;
import java.util.Collection;

/// A command line that cannot be understood. The message is one sentence: what, and what to do.
public final class UsageException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }

    /// With what another exception says behind a colon.
    public UsageException(String what, Exception cause) {
        super(what + ": " + Printable.of(cause), cause);
    }

    /// Returns a suggestion for an unknown word.
    public static String hint(String word, Collection<String> candidates, String prefix) {
        return NearestMatch.find(word, candidates)
                .map(found -> "; did you mean " + prefix + found + "?")
                .orElse("");
    }

    /// Returns a suggestion, or all candidates behind an introduction if none is similar.
    public static String hintOrAll(String word, Collection<String> candidates, String introduction) {
        String hint = hint(word, candidates, "");
        return hint.isEmpty() ? introduction + String.join(", ", candidates) : hint;
    }
}
