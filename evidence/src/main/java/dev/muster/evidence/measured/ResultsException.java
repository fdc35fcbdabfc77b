// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.measured;

import dev.muster.model.PlanException;
import java.io.Serial;

/// A file of results that nothing can be learned from. The message is one sentence for people: what the file is, what
/// is wrong with it, and what to do where something can be done.
///
/// @since 0.1
public final class ResultsException extends PlanException {
    @Serial
    private static final long serialVersionUID = 1L;

    private ResultsException(String message) {
        super(message);
    }

    /// A file that is refused.
    public static ResultsException of(String sentence) {
        return new ResultsException(sentence);
    }
}
