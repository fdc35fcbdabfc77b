// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// States that a document is refused, and why.
final class Refusals {
    /// The longest sentence for people, for any document.
    private static final int LONGEST_MESSAGE = 1_000;

    private Refusals() {}

    static DocumentException assertRefused(DocumentException.DocumentErrorCode code, ThrowingCallable reading) {
        DocumentException refusal = catchThrowableOfType(DocumentException.class, reading);
        assertThat(refusal).as("a refusal because of %s", code).isNotNull();
        String message = String.valueOf(refusal.getMessage());
        assertThat(message.length()).as("the length of the message").isLessThanOrEqualTo(LONGEST_MESSAGE);
        assertThat(refusal.code()).as(message).isEqualTo(code);
        return refusal;
    }
}
