// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results.form;

import dev.muster.model.PlanException;
import java.io.Serial;

/// A file of results that cannot be used. The message is one sentence: the kind of file, the problem, and what to do
/// if there is a remedy.
public final class ResultsException extends PlanException {
    @Serial
    private static final long serialVersionUID = 1L;

    private ResultsException(String message) {
        super(message);
    }

    /// Returns the exception for a refused file.
    public static ResultsException of(String sentence) {
        return new ResultsException(sentence);
    }
}
